'use client';

import { Lock } from 'lucide-react';
import { useTranslations } from 'next-intl';
import type { VolumeRecord } from '@/components/data/types';
import { FileBrowser } from '@/components/records/files/file-browser';
import { HeroState } from '@/components/ui/hero-state';
import { paths } from '@/lib/paths';

/** What is in a volume: read by who may attach it, changed by who may modify it. */
export function VolumeFiles({ volume }: { volume: VolumeRecord }) {
  const t = useTranslations('pages.volumes.filesForbidden');
  const { id, name, can } = volume;
  if (can?.['attach'] !== true) {
    return (
      <HeroState drawing={<Lock className="text-text-3 size-8" />} title={t('title')} text={t('text', { name })} />
    );
  }
  const mayChange = can['modify'] === true;
  return (
    <FileBrowser
      place={{
        api: `/api/volume/${id}/files`,
        hrefOf: (path) => paths.volumeFiles(id, path),
        mayUpload: mayChange,
        mayChange,
        what: 'volume',
      }}
    />
  );
}
