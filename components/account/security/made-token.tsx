'use client';

import { useTranslations } from 'next-intl';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { Dialog } from '@/components/ui/dialog';
import type { ApiTokenEntry } from './security-queries';

export interface NewToken {
  token: string;
  record: ApiTokenEntry;
}

/** A new API token, the one time that it is shown, and how it is used. */
export function MadeToken({ made, onClose }: { made: NewToken; onClose: () => void }) {
  const t = useTranslations('pages.security.tokens');
  const common = useTranslations('common.actions');
  return (
    <Dialog
      isOpen
      width="md"
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('doneTitle', { name: made.record.name })}
      description={t('doneText')}
      closeLabel={common('close')}
      actions={
        <Button variant="primary" onClick={onClose}>
          {t('done')}
        </Button>
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <Shown label={t('token')} text={made.token} />
        <Shown label={t('example')} text={exampleOf(made.token)} />
      </div>
    </Dialog>
  );
}

function Shown({ label, text }: { label: string; text: string }) {
  const common = useTranslations('common.actions');
  return (
    <div>
      <div className="text-table mb-1.5 flex items-center justify-between gap-2">
        <h3 className="leading-4 font-medium">{label}</h3>
        <CopyButton text={text} label={common('copy')} copiedLabel={common('copied')} />
      </div>
      <pre
        tabIndex={0}
        aria-label={label}
        className="border-line bg-sunken overflow-auto rounded-md border px-3 py-2.5 font-mono text-[12.5px] leading-5 break-all whitespace-pre-wrap"
      >
        {text}
      </pre>
    </div>
  );
}

function exampleOf(token: string): string {
  const address = `${window.location.origin}/api/collections/workspaces/records`;
  return `curl ${address} \\\n  -H 'Authorization: Bearer ${token}'`;
}
