'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useServerWords } from '@/components/data/server-words';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';

interface KeepDialogProps {
  /** Undefined until it is known. */
  hoursMax: number | undefined;
  /** Resolves with what stands in the way. */
  onKeep: (until: Date) => Promise<string | undefined>;
  onClose: () => void;
}

/** Asks until when a workspace is kept. */
export function KeepDialog({ hoursMax, onKeep, onClose }: KeepDialogProps) {
  const t = useTranslations('pages.workspaces.times.keep');
  const common = useTranslations('common');
  const say = useServerWords();
  const [until, setUntil] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  async function keep() {
    if (until === '') return setProblem(common('problems.required'));
    setBusy(true);
    const refused = await onKeep(new Date(until));
    setBusy(false);
    if (refused === undefined) onClose();
    else setProblem(say(refused));
  }

  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('title')}
      description={t('text')}
      closeLabel={common('actions.close')}
      actions={
        <>
          <Button onClick={onClose}>{common('actions.cancel')}</Button>
          <Button variant="primary" isBusy={isBusy} onClick={() => void keep()}>
            {t('open')}
          </Button>
        </>
      }
    >
      <Field
        label={t('until')}
        error={problem}
        hint={hoursMax === undefined ? undefined : t('most', { hours: hoursMax })}
      >
        {(control) => (
          <Input
            {...control}
            type="datetime-local"
            value={until}
            onChange={({ target }) => {
              setProblem(undefined);
              setUntil(target.value);
            }}
          />
        )}
      </Field>
    </Dialog>
  );
}
