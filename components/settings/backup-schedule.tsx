'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { fieldProblems } from '@/components/data/problems';
import { recordKeys } from '@/components/data/records';
import type { SettingRecord } from '@/components/data/types';
import { useTell } from '@/components/data/use-tell';
import { beginSchedule, ScheduleFields, toSchedule } from '@/components/records/schedule-fields';
import { useWhen } from '@/components/records/use-when';
import { Button } from '@/components/ui/button';
import { Card, Skeleton } from '@/components/ui/parts';
import { backupScheduleSchema } from '@/lib/vocabulary/backup-schedule';
import { useRefreshBackups } from './use-backups';
import { useSetting, useSettingSource } from './use-setting';

/** When the console is backed up by itself. */
export function BackupSchedule({ next }: { next: string }) {
  const t = useTranslations('pages.settings.schedule');
  const { data } = useSetting('backups');
  const when = useWhen()(next);
  return (
    <Card title={t('title')}>
      <div className="grid gap-3 px-3.5 pb-3.5">
        <p role="status" className="text-table text-text-2">
          {next ? t('next', { when }) : t('none')}
        </p>
        {data === undefined ? <Skeleton className="h-10" /> : <ScheduleForm key={data?.updated ?? ''} setting={data} />}
      </div>
    </Card>
  );
}

function ScheduleForm({ setting }: { setting: SettingRecord | null }) {
  const t = useTranslations('pages.settings.schedule');
  const tell = useTell();
  const queries = useQueryClient();
  const refresh = useRefreshBackups();
  const source = useSettingSource('backups', setting);
  const [values, setValues] = useState(() => {
    const stored = setting?.value as { schedule?: unknown } | null | undefined;
    return beginSchedule(backupScheduleSchema.safeParse(stored?.schedule).data ?? null);
  });
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  async function save() {
    setBusy(true);
    try {
      await source.write({ schedule: toSchedule(values) }, ['schedule']);
      tell.done(t('saved'));
      await queries.invalidateQueries({ queryKey: recordKeys.collection('settings') });
      await refresh();
    } catch (error) {
      const [first] = fieldProblems(error);
      if (first) setProblem(first.message);
      else tell.failed(t('notSaved'), error);
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      <ScheduleFields
        area="settings"
        values={values}
        onChange={(changes) => {
          setProblem(undefined);
          setValues({ ...values, ...changes });
        }}
      />
      {problem && <p className="text-table text-bad-text">{problem}</p>}
      <div>
        <Button size="sm" variant="primary" isBusy={isBusy} onClick={() => void save()}>
          {t('save')}
        </Button>
      </div>
    </>
  );
}
