'use client';

import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { Card, Skeleton } from '@/components/ui/parts';
import { paths } from '@/lib/paths';
import { useFileImages } from './use-file-images';

/** The images that get the file at their builds. */
export function FileImages({ fileId }: { fileId: string }) {
  const t = useTranslations('pages.files');
  const { images, more, isPending } = useFileImages(fileId);
  const total = (images?.length ?? 0) + more;
  return (
    <Card title={t('usedBy')} note={total || undefined}>
      {isPending && <Skeleton className="m-3.5 h-10" />}
      {images?.length === 0 && <p className="text-table text-text-2 px-3.5 pb-3">{t('usedByNone')}</p>}
      <ul className="divide-line divide-y">
        {(images ?? []).map((image) => (
          <li key={image.id} className="text-table flex min-h-10 flex-wrap items-center gap-x-3 px-3.5 py-1.5">
            <Link
              href={paths.image(image.id)}
              className="text-text min-w-0 truncate rounded-sm font-medium hover:underline"
            >
              {image.name}
            </Link>
            <span className="mono text-text-2 min-w-0 truncate">{image.filePaths?.[fileId]}</span>
          </li>
        ))}
      </ul>
      {more > 0 && <p className="text-table text-text-2 px-3.5 py-2">{t('usedByMore', { count: more })}</p>}
    </Card>
  );
}
