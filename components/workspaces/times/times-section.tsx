'use client';

import { useTranslations } from 'next-intl';
import { useEffect } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { FormField } from '@/components/records/form-field';
import { FormSection } from '@/components/records/form-layout';
import { AffixInput } from '@/components/ui/input';
import type { WorkspaceValues } from '../workspace-schema';
import { ScheduleFields } from './schedule-fields';
import { type TimeBounds, useTimeBounds } from './use-time-bounds';

const COUNTS = [
  { name: 'idleMinutes', usual: 'idleMinutesDefault', max: 'idleMinutesMax' },
  { name: 'deleteAfterDays', usual: 'deleteDaysDefault', max: 'deleteDaysMax' },
] as const satisfies { name: keyof WorkspaceValues; usual: keyof TimeBounds; max: keyof TimeBounds }[];

interface TimesSectionProps {
  form: UseFormReturn<WorkspaceValues>;
  /** Empty of one that is made, which begins with what is usual here. */
  workspaceId: string;
  isLast: boolean;
}

/** What the clock does with a workspace: stops what nobody uses, starts and stops by the week, deletes what lies there. */
export function TimesSection({ form, workspaceId, isLast }: TimesSectionProps) {
  const t = useTranslations('pages.workspaces.times');
  const bounds = useTimeBounds(workspaceId);
  useUsual(form, workspaceId === '' ? bounds : undefined);
  return (
    <FormSection id="times" title={t('title')} text={t('text')} isLast={isLast}>
      <div className="grid grid-cols-2 gap-3.5 max-sm:grid-cols-1">
        {COUNTS.map(({ name, max }) => (
          <FormField
            key={name}
            form={form}
            name={name}
            label={t(`counts.${name}.label`)}
            hint={
              bounds && bounds[max] > 0 ? t(`counts.${name}.ceiling`, { max: bounds[max] }) : t(`counts.${name}.hint`)
            }
          >
            {(control) => (
              <AffixInput
                {...control}
                inputMode="numeric"
                autoComplete="off"
                placeholder={t('never')}
                after={<span className="text-small text-text-3">{t(`counts.${name}.unit`)}</span>}
                {...form.register(name)}
              />
            )}
          </FormField>
        ))}
      </div>
      <ScheduleFields form={form} />
    </FormSection>
  );
}

/** Fills in what is usual here where nothing was typed. */
function useUsual(form: UseFormReturn<WorkspaceValues>, bounds: TimeBounds | undefined): void {
  useEffect(() => {
    if (!bounds) return;
    for (const { name, usual, max } of COUNTS) {
      const count = bounds[usual] || bounds[max];
      const isTouched = form.getFieldState(name).isDirty || form.getValues(name) !== '';
      if (count > 0 && !isTouched) form.resetField(name, { defaultValue: String(count) });
    }
  }, [form, bounds]);
}
