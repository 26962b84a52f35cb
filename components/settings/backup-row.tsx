'use client';

import { Database, Download, RotateCcw, Trash2 } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { ready } from '@/components/data/client';
import { fieldProblems } from '@/components/data/problems';
import { useTell } from '@/components/data/use-tell';
import { DeleteDialog } from '@/components/records/delete-dialog';
import { useFormats } from '@/components/records/use-formats';
import { useWhen } from '@/components/records/use-when';
import { IconButton } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { DownloadDialog } from './backup-download';
import { BackupPassword } from './backup-password';
import { type BackupItem, sendBackupCall, useRefreshBackups } from './use-backups';

interface BackupRowProps {
  backup: BackupItem;
  isRunning: boolean;
}

export function BackupRow({ backup, isRunning }: BackupRowProps) {
  const { key, size, modified, isAutomatic } = backup;
  const t = useTranslations('pages.settings.backups');
  const common = useTranslations('common.actions');
  const { bytes } = useFormats();
  const tell = useTell();
  const refresh = useRefreshBackups();
  const when = useWhen()(modified);
  const [asked, setAsked] = useState<'download' | 'restore' | 'delete'>();
  const close = () => setAsked(undefined);

  async function remove() {
    try {
      await sendBackupCall(`/${encodeURIComponent(key)}`, 'DELETE');
      tell.done(t('deleted'));
    } catch (error) {
      tell.failed(t('notDeleted'), error);
    }
    await refresh();
  }

  return (
    <li className="text-table flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 px-3.5 py-2">
      <span className="grid min-w-0 gap-0.5">
        <span className="flex flex-wrap items-center gap-x-3">
          <span className="font-medium tabular-nums">{when}</span>
          <span className="text-text-2 tabular-nums">{bytes(size)}</span>
          {isAutomatic && <span className="text-text-3">{t('automatic')}</span>}
        </span>
        <span className="text-small text-text-3 mono truncate" title={key}>
          {key}
        </span>
      </span>
      <span className="ml-auto flex items-center gap-1">
        <IconButton size="sm" label={t('downloadOf', { name: key })} onClick={() => setAsked('download')}>
          <Download className="size-4" />
        </IconButton>
        <IconButton
          size="sm"
          disabled={isRunning}
          label={t('restoreOf', { name: key })}
          onClick={() => setAsked('restore')}
        >
          <RotateCcw className="size-4" />
        </IconButton>
        <IconButton
          size="sm"
          disabled={isRunning}
          label={t('deleteOf', { name: key })}
          onClick={() => setAsked('delete')}
        >
          <Trash2 className="size-4" />
        </IconButton>
      </span>
      {asked === 'download' && <DownloadDialog name={key} onClose={close} />}
      {asked === 'restore' && <RestoreDialog name={key} when={when} onClose={close} />}
      {asked === 'delete' && (
        <ConfirmDialog
          title={t('deleteTitle')}
          text={t('deleteText', { name: key })}
          confirmLabel={common('delete')}
          onConfirm={remove}
          onClose={close}
        />
      )}
    </li>
  );
}

const LOOK_MS = 1000;

/** The console moves over to the restored data: whoever is logged in there may be somebody else. */
async function whenRestored(): Promise<void> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    const isOver = await (await ready()).health.check({ requestKey: null }).then(
      ({ data }) => data.canBackup === true,
      () => false,
    );
    if (isOver) return window.location.reload();
  }
}

function RestoreDialog({ name, when, onClose }: { name: string; when: string; onClose: () => void }) {
  const t = useTranslations('pages.settings.backups');
  const tell = useTell();
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<string>();

  function showProblem(error: unknown): boolean {
    const found = fieldProblems(error).find(({ path }) => path === 'password');
    setProblem(found?.message);
    return found !== undefined;
  }

  async function restore() {
    await sendBackupCall(`/${encodeURIComponent(name)}/restore`, 'POST', { name, password });
    tell.done(t('restoring'));
    void whenRestored();
  }

  return (
    <DeleteDialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('restoreTitle')}
      text={t('restoreText', { when })}
      verification={name}
      gone={[{ icon: <Database />, name: t('restoreGone'), detail: t('restoreKept') }]}
      confirmLabel={t('restoreConfirm')}
      extra={
        <BackupPassword
          problem={problem}
          value={password}
          onChange={(value) => {
            setProblem(undefined);
            setPassword(value);
          }}
        />
      }
      isSaidInExtra={showProblem}
      onDelete={restore}
    />
  );
}
