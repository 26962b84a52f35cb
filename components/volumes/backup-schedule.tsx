'use client';

import { useFormatter, useTranslations } from 'next-intl';
import { useState } from 'react';
import { ready } from '@/components/data/client';
import { fieldProblems } from '@/components/data/problems';
import { useRefresh } from '@/components/data/records';
import type { VolumeRecord } from '@/components/data/types';
import { useTell } from '@/components/data/use-tell';
import { useWhen } from '@/components/records/use-when';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { Card } from '@/components/ui/parts';
import { Select } from '@/components/ui/select';
import { BACKUP_HOURS_MAX, BACKUPS_KEPT_MAX, type BackupSchedule as Schedule } from '@/lib/vocabulary/backup-schedule';

type Every = Schedule['every'] | 'off';
/** A Sunday. */
const FIRST_DAY_MS = Date.UTC(2023, 0, 1);
const DAY_MS = 86_400_000;

function beginWith(schedule: Schedule | null): Omit<Schedule, 'every'> & { every: Every } {
  if (schedule) return schedule;
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return { every: 'off', hours: 6, at: '03:00', weekday: 0, timeZone, keep: 7 };
}

interface BackupScheduleProps {
  volume: VolumeRecord;
  mayChange: boolean;
}

/** When a volume is backed up by itself. */
export function BackupSchedule({ volume, mayChange }: BackupScheduleProps) {
  const t = useTranslations('pages.volumes.schedule');
  const tell = useTell();
  const refresh = useRefresh();
  const next = useWhen()(volume.nextBackupAt);
  const [values, setValues] = useState(() => beginWith(volume.backupSchedule));
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const change = (changes: Partial<typeof values>) => {
    setProblem(undefined);
    setValues({ ...values, ...changes });
  };

  async function save() {
    setBusy(true);
    const backupSchedule = values.every === 'off' ? null : values;
    try {
      await (await ready()).collection('volumes').update(volume.id, { backupSchedule }, { requestKey: null });
      tell.done(t('saved'));
      await refresh('volumes');
    } catch (error) {
      const [first] = fieldProblems(error);
      if (first) setProblem(first.message);
      else tell.failed(t('notSaved'), error);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Card title={t('title')}>
      <div className="grid gap-3 px-3.5 pb-3.5">
        <p role="status" className="text-table text-text-2">
          {next ? t('next', { when: next }) : t('none')}
        </p>
        {mayChange && (
          <>
            <ScheduleFields values={values} onChange={change} />
            {problem && <p className="text-table text-bad-text">{problem}</p>}
            <div>
              <Button size="sm" variant="primary" isBusy={isBusy} onClick={() => void save()}>
                {t('save')}
              </Button>
            </div>
          </>
        )}
      </div>
    </Card>
  );
}

interface ScheduleFieldsProps {
  values: ReturnType<typeof beginWith>;
  onChange: (changes: Partial<ReturnType<typeof beginWith>>) => void;
}

function ScheduleFields({ values, onChange }: ScheduleFieldsProps) {
  const t = useTranslations('pages.volumes.schedule');
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
