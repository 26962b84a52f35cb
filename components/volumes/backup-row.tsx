'use client';

import { Download, HardDrive, RotateCcw, Trash2 } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { ready } from '@/components/data/client';
import { dateMs } from '@/components/data/dates';
import { useRefresh } from '@/components/data/records';
import type { Collections, VolumeRecord } from '@/components/data/types';
import { useTell } from '@/components/data/use-tell';
import { useAge } from '@/components/records/age';
import { DeleteDialog } from '@/components/records/delete-dialog';
import { useServerWords } from '@/components/data/server-words';
import { useWhen } from '@/components/records/use-when';
import { useFormats } from '@/components/records/use-formats';
import { IconButton } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';

type Backup = Collections['volume_backups'];

interface BackupRowProps {
  backup: Backup;
  volume: VolumeRecord;
  mayChange: boolean;
}

export function BackupRow({ backup, volume, mayChange }: BackupRowProps) {
  const t = useTranslations('pages.volumes.backups');
  const common = useTranslations('common.actions');
  const tell = useTell();
  const refresh = useRefresh();
  const when = useWhen()(backup.created);
  const [asked, setAsked] = useState<'restore' | 'delete'>();
  const close = () => setAsked(undefined);
  const address = `/api/volume-backup/${backup.id}`;
  const isDone = backup.status === 'done';
  const isBusy = backup.status === 'running' || backup.restoreStatus === 'running';

  async function restore() {
    await (await ready()).send(`${address}/restore`, { method: 'POST', body: { name: volume.name }, requestKey: null });
    tell.done(t('begun'));
    await refresh('volume_backups');
  }

  async function remove() {
    try {
      await (await ready()).send(address, { method: 'DELETE', requestKey: null });
      tell.done(t('deleted'));
    } catch (error) {
      tell.failed(t('notDeleted'), error);
    }
    await refresh('volume_backups');
  }

  return (
    <li className="text-table flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 px-3.5 py-2">
      <BackupFacts backup={backup} when={when} />
      <span className="ml-auto flex items-center gap-1">
        {isDone && (
          <IconButton asChild size="sm" label={t('download', { when })}>
            <a href={`${address}/download`} download>
              <Download className="size-4" />
            </a>
          </IconButton>
        )}
        {mayChange && isDone && !isBusy && (
          <IconButton size="sm" label={t('restoreOf', { when })} onClick={() => setAsked('restore')}>
            <RotateCcw className="size-4" />
          </IconButton>
        )}
        {mayChange && !isBusy && (
          <IconButton size="sm" label={t('deleteOf', { when })} onClick={() => setAsked('delete')}>
            <Trash2 className="size-4" />
          </IconButton>
        )}
      </span>
      {asked === 'restore' && (
        <DeleteDialog
          isOpen
          onOpenChange={(isOpen) => !isOpen && close()}
          title={t('restoreTitle', { name: volume.name })}
          text={t('restoreText', { when })}
          verification={volume.name}
          gone={[{ icon: <HardDrive />, name: t('restoreGone') }]}
          confirmLabel={t('restoreConfirm')}
          onDelete={restore}
        />
      )}
      {asked === 'delete' && (
        <ConfirmDialog
          title={t('deleteTitle')}
          text={t('deleteText', { when })}
          confirmLabel={common('delete')}
          onConfirm={remove}
          onClose={close}
        />
      )}
    </li>
  );
}

function BackupFacts({ backup, when }: { backup: Backup; when: string }) {
  const { bytes } = useFormats();
  const say = useServerWords();
  const t = useTranslations('pages.volumes.backups');
  const age = useAge();
  const { status, statusMessage, sizeBytes, entries, leftOut, origin, expand } = backup;
  const { restoreStatus, restoreMessage, restoredAt } = backup;
  const restoredMs = dateMs(restoredAt);
  const by = origin === 'asked' && expand?.created_by ? expand.created_by.name : t(`origins.${originOf(origin)}`);
  return (
    <span className="grid min-w-0 gap-0.5">
      <span className="flex flex-wrap items-center gap-x-3">
        <span className="font-medium tabular-nums">{when}</span>
        <span className={status === 'failed' ? 'text-bad-text' : 'text-text-2'}>{t(`states.${stateOf(status)}`)}</span>
        {status === 'done' && <span className="text-text-2 tabular-nums">{bytes(sizeBytes)}</span>}
        <span className="text-text-3">{by}</span>
      </span>
      {status === 'done' && (
        <span className="text-small text-text-3">
          {t('entries', { count: entries })}
          {leftOut > 0 && <> · {t('leftOut', { count: leftOut })}</>}
        </span>
      )}
      {statusMessage && <span className="text-small text-bad-text">{say(statusMessage)}</span>}
      <span role="status" className="text-small">
        {restoreStatus === 'running' && <span className="text-text-2">{t('restoring')}</span>}
        {restoreStatus === 'done' && restoredMs !== undefined && (
          <span className="text-ok-text">{t('restored', { age: age(restoredMs) })}</span>
        )}
        {restoreStatus === 'failed' && (
          <span className="text-bad-text">{t('notRestored', { why: say(restoreMessage) })}</span>
        )}
      </span>
    </span>
  );
}

function stateOf(status: string): 'running' | 'done' | 'failed' {
  return status === 'done' || status === 'running' ? status : 'failed';
}

function originOf(origin: string): 'asked' | 'schedule' | 'upload' {
  return origin === 'schedule' || origin === 'upload' ? origin : 'asked';
}
