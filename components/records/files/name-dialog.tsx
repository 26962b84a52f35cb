'use client';

import { useTranslations } from 'next-intl';
import { useState, type FormEvent } from 'react';
import { isToldElsewhere, messageOf } from '@/components/data/problems';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';

interface NameDialogProps {
  title: string;
  label: string;
  hint?: string;
  begins: string;
  button: string;
  mayBePath?: boolean;
  onName: (name: string) => Promise<void>;
  onClose: () => void;
}

/** Asks for a name; stays open with the words of a refusal. */
export function NameDialog({ title, label, hint, begins, button, mayBePath, onName, onClose }: NameDialogProps) {
  const t = useTranslations('pages.containerFiles');
  const common = useTranslations('common');
  const [name, setName] = useState(begins);
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const isPath = mayBePath === true && name.startsWith('/');
  const isWrong = name === '' || name === '.' || name === '..' || (!isPath && name.includes('/'));

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (isWrong) return setFailure(t('badName'));
    setBusy(true);
    try {
      await onName(name);
      onClose();
    } catch (error) {
      if (!isToldElsewhere(error)) setFailure(messageOf(error) ?? common('errors.general'));
    } finally {
      setBusy(false);
    }
  }

  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={title}
      closeLabel={common('actions.close')}
      actions={
        <>
          <Button onClick={onClose}>{common('actions.cancel')}</Button>
          <Button type="submit" form="file-name" variant="primary" isBusy={isBusy}>
            {button}
          </Button>
        </>
      }
    >
      <form id="file-name" onSubmit={(event) => void submit(event)}>
        <Field label={label} hint={hint} error={failure}>
          {(control) => (
            <Input
              {...control}
              isMono
              autoFocus
              autoComplete="off"
              spellCheck={false}
              value={name}
              onChange={({ target }) => {
                setName(target.value);
                setFailure(undefined);
              }}
            />
          )}
        </Field>
      </form>
    </Dialog>
  );
}
