'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { recordKeys } from '@/components/data/records';
import type { SettingRecord } from '@/components/data/types';
import { ScheduleForm } from '@/components/records/schedule-form';
import { useWhen } from '@/components/records/use-when';
import { Card, Skeleton } from '@/components/ui/parts';
import { type BackupSchedule as BackupScheduleValue, backupScheduleSchema } from '@/lib/vocabulary/backup-schedule';
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
        {data === undefined ? <Skeleton className="h-10" /> : <SettingForm key={data?.updated ?? ''} setting={data} />}
      </div>
    </Card>
  );
}

function SettingForm({ setting }: { setting: SettingRecord | null }) {
  const queries = useQueryClient();
  const refresh = useRefreshBackups();
  const source = useSettingSource('backups', setting);
  const value = setting?.value as { schedule?: unknown } | null | undefined;
  const stored = backupScheduleSchema.safeParse(value?.schedule).data ?? null;

  async function save(schedule: BackupScheduleValue | null) {
    await source.write({ schedule }, ['schedule']);
    await queries.invalidateQueries({ queryKey: recordKeys.collection('settings') });
    await refresh();
  }

  return <ScheduleForm area="settings" stored={stored} onSave={save} />;
}
