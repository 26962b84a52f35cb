'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { ready } from '@/components/data/client';
import { fieldProblems } from '@/components/data/problems';
import { useRefresh } from '@/components/data/records';
import type { VolumeRecord } from '@/components/data/types';
import { useTell } from '@/components/data/use-tell';
import { beginSchedule, ScheduleFields, toSchedule } from '@/components/records/schedule-fields';
import { useWhen } from '@/components/records/use-when';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/parts';

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
  const [values, setValues] = useState(() => beginSchedule(volume.backupSchedule));
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const change = (changes: Partial<typeof values>) => {
    setProblem(undefined);
    setValues({ ...values, ...changes });
  };

  async function save() {
    setBusy(true);
    const backupSchedule = toSchedule(values);
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
            <ScheduleFields area="volumes" values={values} onChange={change} />
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
