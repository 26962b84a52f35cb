'use client';

import { useTranslations } from 'next-intl';
import { FileUp } from 'lucide-react';
import { useId, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Textarea } from '@/components/ui/input';
import { limits } from '@/lib/vocabulary/limits';
import { parseDotEnv, readDotEnvFile, type DotEnvEntry } from './dot-env';

interface DotEnvDialogProps {
  onClose: () => void;
  onTake: (entries: DotEnvEntry[]) => void;
}

export function DotEnvDialog({ onClose, onTake }: DotEnvDialogProps) {
  const t = useTranslations('pages.workspaces.environment');
  const common = useTranslations('common.actions');
  const [text, setText] = useState('');
  const [refusal, setRefusal] = useState<'tooLong' | 'notText'>();
  const fileId = useId();
  const read = parseDotEnv(text);
  const entries = 'entries' in read ? read.entries : [];
  const isTooLong = new TextEncoder().encode(text).length > limits.dotEnvBytes;
  const wrong = isTooLong ? t('tooLong') : 'wrongLine' in read ? t('notEnv', { line: read.wrongLine }) : undefined;
  const error = refusal ? t(refusal) : wrong;

  async function load(input: HTMLInputElement) {
    const file = input.files?.[0];
    // The same file can be chosen again once it was put right.
    input.value = '';
    if (!file) return;
    const found = await readDotEnvFile(file);
    setRefusal('refusal' in found ? found.refusal : undefined);
    setText('text' in found ? found.text : '');
  }

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
      <div className="mb-3.5">
        <input
          id={fileId}
          type="file"
          className="peer sr-only"
          aria-describedby={`${fileId}-hint`}
          onChange={(event) => void load(event.target)}
        />
        <label
          htmlFor={fileId}
          className="rounded-ctl border-line-strong text-table shadow-control hover:bg-sunken inline-flex h-7 cursor-pointer items-center gap-1.5 border px-[9px] font-medium peer-focus-visible:shadow-(--focus-ring)"
        >
          <FileUp className="size-4" aria-hidden="true" />
          {t('chooseFile')}
        </label>
        <span id={`${fileId}-hint`} className="text-small text-text-3 ml-2">
          {t('fileHint')}
        </span>
      </div>
      <Field label={t('pasteLabel')} hint={t('pasteHint')} error={error}>
        {(control) => (
          <Textarea
            {...control}
            isMono
            rows={10}
            autoFocus
            value={text}
            onChange={(event) => {
              setRefusal(undefined);
              setText(event.target.value);
            }}
          />
        )}
      </Field>
    </Dialog>
  );
}
