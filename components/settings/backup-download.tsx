'use client';

import { useTranslations } from 'next-intl';
import { useId, useState } from 'react';
import { messageOf } from '@/components/data/problems';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { BackupPassword } from './backup-password';
import { sendBackupCall } from './use-backups';

/** Downloads a backup once the admin has proven to be the one: it opens every secret. */
export function DownloadDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const t = useTranslations('pages.settings.backups');
  const common = useTranslations('common');
  const formId = useId();
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  async function download() {
    setBusy(true);
    setProblem(undefined);
    try {
      const { token } = await sendBackupCall<{ token: string }>('/token', 'POST', { password });
      const link = document.createElement('a');
      link.href = `/api/backups/${encodeURIComponent(name)}?token=${encodeURIComponent(token)}`;
      link.download = name;
      link.click();
      onClose();
    } catch (error) {
      setProblem(messageOf(error) ?? common('errors.general'));
    } finally {
      setBusy(false);
    }
  }

  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('downloadTitle')}
      description={t('downloadText')}
      closeLabel={common('actions.close')}
      actions={
        <>
          <Button onClick={onClose}>{common('actions.cancel')}</Button>
          <Button type="submit" form={formId} variant="primary" isBusy={isBusy}>
            {t('download')}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void download();
        }}
      >
        <BackupPassword
          problem={problem}
          value={password}
          onChange={(value) => {
            setProblem(undefined);
            setPassword(value);
          }}
        />
      </form>
    </Dialog>
  );
}
