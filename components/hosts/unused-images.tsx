'use client';

import { CircleCheck, LoaderCircle, TriangleAlert } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { Age } from '@/components/records/age';
import { useFormats } from '@/components/records/use-formats';
import { Notice } from '@/components/ui/notice';

interface Amount {
  count: number;
  sizeBytes: number;
}

interface Prune {
  isRunning: boolean;
  asked: number;
  removed: number;
  freedCacheBytes: number;
  kept: { name: string; why: string }[];
  message: string;
}

/** As `GET /api/host/:id/disk` answers. Sizes are bytes. */
export interface HostDiskUse {
  layersBytes: number;
  images: number;
  containers: Amount;
  volumes: Amount;
  buildCache: { sizeBytes: number; unusedBytes: number };
  unused: { imageId: string; tags: string[]; sizeBytes: number; createdAt: string }[];
  unusedCount: number;
  unusedBytes: number;
  prune: Prune | null;
}

/** The images that can go, the largest first; closed at first. */
export function UnusedImages({ use: { unused, unusedCount } }: { use: HostDiskUse }) {
  const { bytes } = useFormats();
  const t = useTranslations('pages.hosts.disk');
  if (unusedCount === 0) return null;
  return (
    <details className="px-3.5 pb-3">
      <summary className="text-table text-accent-text w-fit cursor-pointer rounded-sm">
        {t('list', { count: unusedCount })}
      </summary>
      <ul className="divide-line border-line-strong text-table mt-2 max-h-72 divide-y overflow-y-auto rounded-md border">
        {unused.map(({ imageId, tags, sizeBytes, createdAt }) => (
          <li key={imageId} className="flex min-h-[34px] flex-wrap items-center gap-x-3 px-3 py-1.5">
            <span className="mono min-w-0 flex-1 break-all">{tags.join(', ') || t('noName')}</span>
            <span className="text-text-2">
              <Age at={createdAt} />
            </span>
            <span className="w-20 text-right">{bytes(sizeBytes)}</span>
          </li>
        ))}
        {unusedCount > unused.length && (
          <li className="text-text-2 px-3 py-1.5">{t('more', { count: unusedCount - unused.length })}</li>
        )}
      </ul>
    </details>
  );
}

/** How far the last removal is, or how it ended. */
export function PruneNote({ prune }: { prune: Prune }) {
  const { bytes } = useFormats();
  const t = useTranslations('pages.hosts.disk');
  const { isRunning, asked, removed, freedCacheBytes, kept, message } = prune;
  if (isRunning) {
    return (
      <Notice tone="busy" icon={<LoaderCircle className="animate-spin" />} className="mx-3.5 mb-3.5">
        {asked > 0 ? t('running', { removed, asked }) : t('emptying')}
      </Notice>
    );
  }
  const isFine = message === '' && kept.length === 0;
  return (
    <Notice
      tone={isFine ? 'accent' : 'warn'}
      icon={isFine ? <CircleCheck /> : <TriangleAlert />}
      className="mx-3.5 mb-3.5"
    >
      {t('done', { removed, asked, size: bytes(freedCacheBytes) })} {message}
      {kept.map(({ name, why }) => (
        <span key={name} className="block break-words">
          {t('keptTitle')}: <span className="mono">{name.replace(/^sha256:(.{12}).*/, '$1')}</span> {why}
        </span>
      ))}
    </Notice>
  );
}
