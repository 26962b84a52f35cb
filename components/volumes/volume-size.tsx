'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { ready } from '@/components/data/client';
import { dateMs } from '@/components/data/dates';
import { useRefresh } from '@/components/data/records';
import type { VolumeRecord } from '@/components/data/types';
import { useTell } from '@/components/data/use-tell';
import { useAge } from '@/components/records/age';
import { useFormats } from '@/components/records/use-formats';
import { Button } from '@/components/ui/button';

/** How much is in a volume, in a list. */
export function ShortSize({ volume: { sizeBytes, sizeIsLeast, sizedAt } }: { volume: VolumeRecord }) {
  const { bytes } = useFormats();
  const t = useTranslations('pages.volumes.size');
  if (!sizedAt) return '–';
  const size = bytes(sizeBytes);
  return <span className="tabular-nums">{sizeIsLeast ? t('atLeast', { size }) : size}</span>;
}

/** How much is in a volume, when that was counted, and the way to count again. */
export function VolumeSize({ volume }: { volume: VolumeRecord }) {
  const { bytes } = useFormats();
  const t = useTranslations('pages.volumes.size');
  const age = useAge();
  const tell = useTell();
  const refresh = useRefresh();
  const [isBusy, setBusy] = useState(false);
  const { id, sizeBytes, sizeIsLeast, sizedAt, status, can } = volume;
  const atMs = dateMs(sizedAt);

  async function measure() {
    setBusy(true);
    try {
      await (await ready()).send(`/api/volume/${id}/measure`, { method: 'POST', requestKey: null });
      await refresh('volumes');
    } catch (error) {
      tell.failed(t('failed'), error);
    } finally {
      setBusy(false);
    }
  }

  const words = { size: bytes(sizeBytes), age: atMs === undefined ? '' : age(atMs) };
  return (
    <span className="flex flex-wrap items-center gap-2">
      <span>{atMs === undefined ? t('none') : t(sizeIsLeast ? 'least' : 'value', words)}</span>
      {can?.['attach'] === true && status === 'created' && (
        <Button size="sm" isBusy={isBusy} onClick={() => void measure()}>
          {t('measure')}
        </Button>
      )}
    </span>
  );
}
