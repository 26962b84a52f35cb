'use client';

import { useFormatter, useTranslations } from 'next-intl';
import { useEffect, useId } from 'react';
import { Controller, type UseFormReturn, useWatch } from 'react-hook-form';
import { FieldChange } from '@/components/records/field-change';
import { useIsReadOnly } from '@/components/records/form-access';
import { FormField, FormSwitch } from '@/components/records/form-field';
import { useFieldError } from '@/components/records/form-problems';
import { Checkbox } from '@/components/ui/checkbox';
import { FieldError } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import type { WorkspaceValues } from '../workspace-schema';

type Which = 'start' | 'stop';
const WEEK = [1, 2, 3, 4, 5, 6, 0];
/** A Sunday. */
const FIRST_DAY_MS = Date.UTC(2023, 0, 1);
const DAY_MS = 86_400_000;

const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** When a workspace starts and stops by itself, on the clock of which zone. */
export function ScheduleFields({ form }: { form: UseFormReturn<WorkspaceValues> }) {
  const t = useTranslations('pages.workspaces.times');
  const zones = useId();
  const [isStarting, isStopping] = useWatch({
    control: form.control,
    name: ['schedule.start.isOn', 'schedule.stop.isOn'],
  });
  const isOn = isStarting || isStopping;
  useEffect(() => {
    if (isOn && form.getValues('schedule.timeZone') === '') form.setValue('schedule.timeZone', ownZone());
  }, [form, isOn]);
  return (
    <>
      <div className="grid grid-cols-2 gap-3.5 max-sm:grid-cols-1">
        <Entry form={form} which="start" isOn={isStarting} />
        <Entry form={form} which="stop" isOn={isStopping} />
      </div>
      {isOn && (
        <div className="grid grid-cols-2 gap-3.5 max-sm:grid-cols-1">
          <FormField form={form} name="schedule.timeZone" label={t('timeZone')} hint={t('timeZoneHint')}>
            {(control) => (
              <Input
                {...control}
                list={zones}
                autoComplete="off"
                spellCheck={false}
                {...form.register('schedule.timeZone')}
              />
            )}
          </FormField>
          <datalist id={zones}>
            {Intl.supportedValuesOf('timeZone').map((zone) => (
              <option key={zone} value={zone} />
            ))}
          </datalist>
        </div>
      )}
      <FieldChange name="schedule" wordsOf={() => t('scheduleChanged')} />
    </>
  );
}

function Entry({ form, which, isOn }: { form: UseFormReturn<WorkspaceValues>; which: Which; isOn: boolean }) {
  const t = useTranslations('pages.workspaces.times');
  return (
    <div className="grid content-start gap-3">
      <FormSwitch form={form} name={`schedule.${which}.isOn`} label={t(`${which}.label`)} hint={t(`${which}.hint`)} />
      {isOn && (
        <>
          <FormField form={form} name={`schedule.${which}.at`} label={t(`${which}.at`)}>
            {(control) => (
              <Input {...control} type="time" className="w-32" {...form.register(`schedule.${which}.at`)} />
            )}
          </FormField>
          <Weekdays form={form} which={which} />
        </>
      )}
    </div>
  );
}

function Weekdays({ form, which }: { form: UseFormReturn<WorkspaceValues>; which: Which }) {
  const t = useTranslations('pages.workspaces.times');
  const format = useFormatter();
  const isReadOnly = useIsReadOnly();
  const name = `schedule.${which}.weekdays` as const;
  const error = useFieldError(form)(name);
  const nameOf = (day: number, weekday: 'short' | 'long') =>
    format.dateTime(FIRST_DAY_MS + day * DAY_MS, { weekday, timeZone: 'UTC' });
  return (
    <Controller
      control={form.control}
      name={name}
      render={({ field: { value, onChange } }) => (
        <div role="group" aria-label={t(`${which}.days`)} data-path={name} data-invalid={error ? '' : undefined}>
          <div className="flex flex-wrap gap-x-4 gap-y-2.5">
            {WEEK.map((day) => (
              <label key={day} className="text-table inline-flex items-center gap-1.5">
                <Checkbox
                  disabled={isReadOnly}
                  aria-label={nameOf(day, 'long')}
                  checked={value.includes(day)}
                  onCheckedChange={(isChosen) =>
                    onChange(WEEK.filter((each) => (each === day ? isChosen === true : value.includes(each))))
                  }
                />
                <span aria-hidden="true">{nameOf(day, 'short')}</span>
              </label>
            ))}
          </div>
          {error && <FieldError>{error}</FieldError>}
        </div>
      )}
    />
  );
}
