'use client';

import { useFormatter, useTranslations } from 'next-intl';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { Select } from '@/components/ui/select';
import { BACKUP_HOURS_MAX, BACKUPS_KEPT_MAX, type BackupSchedule } from '@/lib/vocabulary/backup-schedule';

type Every = BackupSchedule['every'] | 'off';
export type ScheduleValues = Omit<BackupSchedule, 'every'> & { every: Every };

/** A Sunday. */
const FIRST_DAY_MS = Date.UTC(2023, 0, 1);
const DAY_MS = 86_400_000;

/** What a form begins with: the schedule that there is, or one that is off. */
export function beginSchedule(schedule: BackupSchedule | null): ScheduleValues {
  if (schedule) return schedule;
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return { every: 'off', hours: 6, at: '03:00', weekday: 0, timeZone, keep: 7 };
}

/** The schedule that a form holds; null for none. */
export function toSchedule(values: ScheduleValues): BackupSchedule | null {
  const { every } = values;
  return every === 'off' ? null : { ...values, every };
}

interface ScheduleFieldsProps {
  /** Whose words these are. */
  area: 'volumes' | 'settings';
  values: ScheduleValues;
  onChange: (changes: Partial<ScheduleValues>) => void;
}

/** When something is backed up by itself, and how many of those backups stay. */
export function ScheduleFields({ area, values, onChange }: ScheduleFieldsProps) {
  const t = useTranslations(`pages.${area}.schedule`);
  const format = useFormatter();
  const { every, hours, at, weekday, timeZone, keep } = values;
  const days = [1, 2, 3, 4, 5, 6, 0].map((day) => ({
    value: String(day),
    label: format.dateTime(FIRST_DAY_MS + day * DAY_MS, { weekday: 'long', timeZone: 'UTC' }),
  }));
  return (
    <div className="grid grid-cols-4 gap-3.5 max-lg:grid-cols-2 max-sm:grid-cols-1">
      <Field label={t('every')}>
        {(control) => (
          <Select
            {...control}
            className="w-full"
            value={every}
            onValueChange={(value) => onChange({ every: value as Every })}
            options={(['off', 'hours', 'day', 'week'] as const).map((value) => ({ value, label: t(value) }))}
          />
        )}
      </Field>
      {every === 'hours' && (
        <Field label={t('hoursLabel')}>
          {(control) => (
            <Input
              {...control}
              type="number"
              min={1}
              max={BACKUP_HOURS_MAX}
              value={hours}
              onChange={({ target }) => onChange({ hours: Number(target.value) })}
            />
          )}
        </Field>
      )}
      {every === 'week' && (
        <Field label={t('weekday')}>
          {(control) => (
            <Select
              {...control}
              className="w-full"
              value={String(weekday)}
              onValueChange={(value) => onChange({ weekday: Number(value) })}
              options={days}
            />
          )}
        </Field>
      )}
      {(every === 'day' || every === 'week') && (
        <Field label={t('at')} hint={t('zone', { zone: timeZone })}>
          {(control) => (
            <Input {...control} type="time" value={at} onChange={({ target }) => onChange({ at: target.value })} />
          )}
        </Field>
      )}
      {every !== 'off' && (
        <Field label={t('keep')} hint={t('keepHint')}>
          {(control) => (
            <Input
              {...control}
              type="number"
              min={1}
              max={BACKUPS_KEPT_MAX}
              value={keep}
              onChange={({ target }) => onChange({ keep: Number(target.value) })}
            />
          )}
        </Field>
      )}
    </div>
  );
}
