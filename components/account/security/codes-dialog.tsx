'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useViewer } from '@/components/data/session-provider';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { RecoveryCodes } from './recovery-codes';

/** Shows new recovery codes and stays until they are said to be saved. */
export function CodesDialog({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  const t = useTranslations('pages.factor.codes');
  const common = useTranslations('common.actions');
  const { username } = useViewer();
  const [isSaved, setSaved] = useState(false);
  const [isMissed, setMissed] = useState(false);
  const close = () => (isSaved ? onClose() : setMissed(true));
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && close()}
      title={t('title')}
      description={t('text')}
      closeLabel={common('close')}
      actions={
        <Button variant="primary" onClick={close}>
          {t('done')}
        </Button>
      }
    >
      <RecoveryCodes
        codes={codes}
        username={username}
        isSaved={isSaved}
        isMissed={isMissed && !isSaved}
        onSaved={setSaved}
      />
    </Dialog>
  );
}
