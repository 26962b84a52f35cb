'use client';

import { Check, CircleAlert, X } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useFormats } from '@/components/records/use-formats';
import { Button, IconButton } from '@/components/ui/button';
import { shownName } from './file-paths';
import type { FilePlace } from './file-place';
import type { UploadItem, Uploads } from './use-uploads';

/** What is being uploaded, and what became of it. */
export function UploadList({ uploads, what }: { uploads: Uploads; what: FilePlace['what'] }) {
  const t = useTranslations('pages.containerFiles');
  if (uploads.items.length === 0) return null;
  return (
    <ul aria-label={t('uploads')} className="border-line divide-line mx-6 mt-3 divide-y rounded-md border max-lg:mx-4">
      {uploads.items.map((item) => (
        <UploadRow key={item.key} item={item} uploads={uploads} what={what} />
      ))}
    </ul>
  );
}

function UploadRow({ item, uploads, what }: { item: UploadItem; uploads: Uploads; what: FilePlace['what'] }) {
  const { bytes } = useFormats();
  const t = useTranslations('pages.containerFiles');
  const { key, file, sent, state, message, folder } = item;
  const name = shownName(file.name);
  const percent = file.size === 0 ? 100 : Math.floor((sent / file.size) * 100);
  const words = {
    waiting: t('upload.waiting'),
    // All is sent, and the host puts it where it belongs.
    sending: percent >= 100 ? t(`upload.storing.${what}`) : t('upload.sending', { percent }),
    done: t('upload.done', { folder }),
    failed: message || t(`upload.failed.${what}`),
    exists: t('upload.exists', { folder }),
  }[state];
  const isBad = state === 'failed' || state === 'exists';
  return (
    <li className="text-table flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 py-1.5 pr-2 pl-3">
      <span className="min-w-0 flex-1">
        <span className="flex min-w-0 items-center gap-2">
          {state === 'done' && <Check className="text-ok size-4 shrink-0" aria-hidden="true" />}
          {isBad && <CircleAlert className="text-bad size-4 shrink-0" aria-hidden="true" />}
          <span className="truncate">{name}</span>
          <span className="text-text-3 shrink-0 tabular-nums">{bytes(file.size)}</span>
        </span>
        <span role="status" className={isBad ? 'text-small text-bad-text block' : 'text-small text-text-3 block'}>
          {words}
        </span>
        {state === 'sending' && (
          <progress
            className="accent-accent mt-1 block h-1 w-full"
            aria-label={t('upload.progress', { name })}
            value={percent}
            max={100}
          />
        )}
      </span>
      {state === 'exists' && (
        <Button size="sm" onClick={() => uploads.again(key, true)}>
          {t('upload.replace')}
        </Button>
      )}
      {state === 'failed' && (
        <Button size="sm" onClick={() => uploads.again(key, item.replaces)}>
          {t('upload.again')}
        </Button>
      )}
      <IconButton
        size="sm"
        label={t(state === 'sending' || state === 'waiting' ? 'upload.cancel' : 'upload.putAway', { name })}
        onClick={() => uploads.remove(key)}
      >
        <X className="size-4" />
      </IconButton>
    </li>
  );
}
