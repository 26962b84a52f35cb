'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Textarea } from '@/components/ui/input';
import { limits } from '@/lib/vocabulary/limits';
import { parseDotEnv, type DotEnvEntry } from './dot-env';

interface DotEnvDialogProps {
  onClose: () => void;
  onTake: (entries: DotEnvEntry[]) => void;
}

export function DotEnvDialog({ onClose, onTake }: DotEnvDialogProps) {
  const t = useTranslations('pages.workspaces.environment');
  const common = useTranslations('common.actions');
  const [text, setText] = useState('');
  const read = parseDotEnv(text);
  const entries = 'entries' in read ? read.entries : [];
  const isTooLong = new TextEncoder().encode(text).length > limits.dotEnvBytes;
  const error = isTooLong ? t('tooLong') : 'wrongLine' in read ? t('notEnv', { line: read.wrongLine }) : undefined;
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('paste')}
      closeLabel={common('close')}
      actions={
        <>
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button
            variant="primary"
            data-key-save=""
            disabled={Boolean(error) || entries.length === 0}
            onClick={() => {
              onTake(entries);
              onClose();
            }}
          >
            {t('take', { count: entries.length })}
          </Button>
        </>
      }
    >
      <Field label={t('pasteLabel')} hint={t('pasteHint')} error={error}>
        {(control) => (
          <Textarea
            {...control}
            isMono
            rows={10}
            autoFocus
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
    </Dialog>
  );
}
