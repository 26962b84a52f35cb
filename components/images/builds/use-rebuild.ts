'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { ready } from '@/components/data/client';
import { useRefresh } from '@/components/data/records';
import type { ImageRecord } from '@/components/data/types';
import { useTell } from '@/components/data/use-tell';

/** Asks for a build of an image that keeps to what an earlier one has resolved. */
export function useRebuild({ id }: ImageRecord) {
  const t = useTranslations('pages.images.builds');
  const tell = useTell();
  const refresh = useRefresh();
  const [isBusy, setBusy] = useState(false);
  async function rebuild(number: number): Promise<void> {
    setBusy(true);
    try {
      const body = { action: 'build', lockOf: number };
      await (await ready()).send(`/api/image/${id}/request`, { method: 'POST', body });
      tell.done(t('rebuilding', { number }));
    } catch (error) {
      tell.failed(t('notRebuilt', { number }), error);
    } finally {
      setBusy(false);
      await refresh('images', 'builds');
    }
  }
  return { rebuild, isBusy };
}
