'use client';

import { useTranslations } from 'next-intl';
import type { FileRecord } from '@/components/data/types';
import { Card, Skeleton } from '@/components/ui/parts';
import { previewOf, useFilePreview } from './use-file-address';

/** What is in a file, where it is a picture or a short text; never run, only looked at. */
export function FilePreview({ file }: { file: FileRecord }) {
  const t = useTranslations('pages.files');
  const kind = previewOf(file);
  const { data, isLoading, isError } = useFilePreview(file);
  return (
    <Card title={t('preview')}>
      {!kind && <p className="text-table text-text-2 px-3.5 pb-3.5">{t('noPreview')}</p>}
      {isLoading && <Skeleton className="mx-3.5 mb-3.5 h-24" />}
      {isError && <p className="text-table text-bad-text px-3.5 pb-3.5">{t('previewFailed')}</p>}
      {kind === 'picture' && data && (
        <img src={data} alt={file.name} className="border-line bg-sunken max-h-96 w-full border-t object-contain" />
      )}
      {kind === 'text' && data !== undefined && (
        <pre
          tabIndex={0}
          role="region"
          aria-label={t('preview')}
          data-inset=""
          className="mono border-line bg-sunken max-h-96 overflow-auto border-t px-3.5 py-2.5 whitespace-pre"
        >
          {data}
        </pre>
      )}
    </Card>
  );
}
