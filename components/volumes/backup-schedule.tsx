'use client';

import { useTranslations } from 'next-intl';
import { ready } from '@/components/data/client';
import { useRefresh } from '@/components/data/records';
import type { VolumeRecord } from '@/components/data/types';
import { ScheduleForm } from '@/components/records/schedule-form';
import { useWhen } from '@/components/records/use-when';
import { Card } from '@/components/ui/parts';

interface BackupScheduleProps {
  volume: VolumeRecord;
  mayChange: boolean;
}

/** When a volume is backed up by itself. */
export function BackupSchedule({ volume, mayChange }: BackupScheduleProps) {
  const t = useTranslations('pages.volumes.schedule');
  const refresh = useRefresh();
  const next = useWhen()(volume.nextBackupAt);

  async function save(backupSchedule: VolumeRecord['backupSchedule']) {
    await (await ready()).collection('volumes').update(volume.id, { backupSchedule }, { requestKey: null });
    await refresh('volumes');
  }

  return (
    <Card title={t('title')}>
      <div className="grid gap-3 px-3.5 pb-3.5">
        <p role="status" className="text-table text-text-2">
          {next ? t('next', { when: next }) : t('none')}
        </p>
        {mayChange && <ScheduleForm area="volumes" stored={volume.backupSchedule} onSave={save} />}
      </div>
    </Card>
  );
}
