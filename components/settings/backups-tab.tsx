'use client';

import { Archive, TriangleAlert, Upload } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useRef, useState } from 'react';
import { useServerWords } from '@/components/data/server-words';
import { useTell } from '@/components/data/use-tell';
import { sendFile } from '@/components/records/files/upload-file';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { Card, Skeleton } from '@/components/ui/parts';
import { BackupRow } from './backup-row';
import { BackupSchedule } from './backup-schedule';
import { BACKUPS_CALL, sendBackupCall, useBackups, useRefreshBackups } from './use-backups';

/** Backups of the whole console, and when they are made by themselves. */
export function BackupsTab() {
  const t = useTranslations('pages.settings.backups');
  const say = useServerWords();
  const { data, isError, refetch } = useBackups();
  const items = data?.items ?? [];
  return (
    <div className="grid max-w-[860px] grid-cols-[minmax(0,1fr)] gap-3.5">
      {data?.failure && (
        <Notice tone="bad" icon={<TriangleAlert />}>
          {t('failed', { why: say(data.failure) })}
        </Notice>
      )}
      <Card title={t('title')} note={items.length > 0 ? items.length : undefined}>
        <p className="text-table text-text-2 px-3.5 pb-3">{t('text')}</p>
        <div className="flex flex-wrap gap-2 px-3.5 pb-3.5">
          <BackupActs isRunning={data?.isRunning ?? false} />
        </div>
        {!data && !isError && <Skeleton className="mx-3.5 mb-3.5 h-10" />}
        {isError && (
          <div className="text-table text-text-2 flex flex-wrap items-center gap-3 px-3.5 pb-3">
            {t('unknown')}
            <Button size="sm" onClick={() => void refetch()}>
              {t('again')}
            </Button>
          </div>
        )}
        {data && items.length === 0 && <p className="text-table text-text-2 px-3.5 pb-3">{t('empty')}</p>}
        <ul className="divide-line border-line divide-y border-t empty:border-0" aria-label={t('title')}>
          {items.map((backup) => (
            <BackupRow key={backup.key} backup={backup} isRunning={data?.isRunning ?? false} />
          ))}
        </ul>
      </Card>
      <BackupSchedule next={data?.next ?? ''} />
    </div>
  );
}

function BackupActs({ isRunning }: { isRunning: boolean }) {
  const t = useTranslations('pages.settings.backups');
  const tell = useTell();
  const refresh = useRefreshBackups();
  const picker = useRef<HTMLInputElement>(null);
  const [percent, setPercent] = useState<number>();

  async function begin() {
    try {
      await sendBackupCall('', 'POST');
      tell.done(t('started'));
    } catch (error) {
      tell.failed(t('notStarted'), error);
    }
    await refresh();
  }

  async function upload(file: File) {
    setPercent(0);
    const onSent = (bytes: number) => setPercent(Math.min(100, Math.floor((bytes / Math.max(1, file.size)) * 100)));
    const address = `${BACKUPS_CALL}/upload`;
    try {
      await sendFile({ address, file, field: 'file', onSent, signal: new AbortController().signal });
      tell.done(t('uploaded'));
    } catch (error) {
      tell.failed(t('notUploaded'), error);
    } finally {
      setPercent(undefined);
    }
    await refresh();
  }

  return (
    <>
      <input
        ref={picker}
        type="file"
        hidden
        accept=".zip"
        aria-label={t('pick')}
        onChange={({ target }) => {
          const file = target.files?.[0];
          if (file) void upload(file);
          target.value = '';
        }}
      />
      <Button size="sm" variant="primary" isBusy={isRunning} onClick={() => void begin()}>
        <Archive className="size-4" aria-hidden="true" />
        {t('now')}
      </Button>
      <Button size="sm" disabled={percent !== undefined} onClick={() => picker.current?.click()}>
        <Upload className="size-4" aria-hidden="true" />
        {percent === undefined ? t('upload') : t('uploading', { percent })}
      </Button>
    </>
  );
}
