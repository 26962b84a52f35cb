'use client';

import { Archive, Upload } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useRef, useState } from 'react';
import { ready } from '@/components/data/client';
import { useFirstRecords, useRefresh } from '@/components/data/records';
import type { VolumeRecord } from '@/components/data/types';
import { useTell } from '@/components/data/use-tell';
import { sendFile } from '@/components/records/files/upload-file';
import { ShowMore } from '@/components/records/show-more';
import { Button } from '@/components/ui/button';
import { Card, Skeleton } from '@/components/ui/parts';
import { BackupRow } from './backup-row';
import { BackupSchedule } from './backup-schedule';

/** The backups of a volume, and when they are made by themselves. */
export function VolumeBackups({ volume }: { volume: VolumeRecord }) {
  const t = useTranslations('pages.volumes.backups');
  const mayChange = volume.can?.['modify'] === true;
  const list = useFirstRecords(
    'volume_backups',
    { filter: `volume = '${volume.id}'`, sort: '-created', expand: 'created_by' },
    { step: 20 },
  );
  const isRunning = list.items.some(({ status }) => status === 'running');
  return (
    <div className="grid gap-3.5">
      <Card
        title={t('title')}
        note={list.total > 0 ? list.total : undefined}
        actions={mayChange && <BackupActs volume={volume} isRunning={isRunning} />}
      >
        {list.isPending && <Skeleton className="m-3.5 h-10" />}
        {!list.isPending && list.items.length === 0 && (
          <p className="text-table text-text-2 px-3.5 pb-3">{t('empty')}</p>
        )}
        <ul className="divide-line divide-y" aria-label={t('title')}>
          {list.items.map((backup) => (
            <BackupRow key={backup.id} backup={backup} volume={volume} mayChange={mayChange} />
          ))}
        </ul>
        <ShowMore onClick={list.showMore} />
      </Card>
      <BackupSchedule key={volume.id} volume={volume} mayChange={mayChange} />
    </div>
  );
}

function BackupActs({ volume, isRunning }: { volume: VolumeRecord; isRunning: boolean }) {
  const t = useTranslations('pages.volumes.backups');
  const tell = useTell();
  const refresh = useRefresh();
  const picker = useRef<HTMLInputElement>(null);
  const [percent, setPercent] = useState<number>();
  const address = `/api/volume/${volume.id}/backups`;

  async function begin() {
    try {
      await (await ready()).send(address, { method: 'POST', requestKey: null });
      tell.done(t('started'));
    } catch (error) {
      tell.failed(t('notStarted'), error);
    }
    await refresh('volume_backups');
  }

  async function upload(file: File) {
    setPercent(0);
    const onSent = (bytes: number) => setPercent(file.size === 0 ? 100 : Math.floor((bytes / file.size) * 100));
    try {
      await sendFile({ address: `${address}/upload`, file, onSent, signal: new AbortController().signal });
      tell.done(t('uploaded'));
    } catch (error) {
      tell.failed(t('notUploaded'), error);
    } finally {
      setPercent(undefined);
    }
    await refresh('volume_backups');
  }

  return (
    <>
      <input
        ref={picker}
        type="file"
        hidden
        accept=".tar,.tgz,.gz"
        aria-label={t('pick')}
        onChange={({ target }) => {
          const file = target.files?.[0];
          if (file) void upload(file);
          target.value = '';
        }}
      />
      <Button size="sm" disabled={percent !== undefined} onClick={() => picker.current?.click()}>
        <Upload className="size-4" aria-hidden="true" />
        {percent === undefined ? t('upload') : t('uploading', { percent })}
      </Button>
      <Button size="sm" variant="primary" disabled={isRunning} onClick={() => void begin()}>
        <Archive className="size-4" aria-hidden="true" />
        {t('now')}
      </Button>
    </>
  );
}
