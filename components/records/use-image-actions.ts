'use client';

import { useTranslations } from 'next-intl';
import { ready } from '@/components/data/client';
import { useRefresh } from '@/components/data/records';
import type { ImageRecord } from '@/components/data/types';
import { useTell } from '@/components/data/use-tell';
import type { ImageAction } from '@/lib/vocabulary/image-status';

/** The flag of `can` that each act needs. */
export const imageRight: Record<ImageAction, string> = {
  build: 'build',
  cancelBuild: 'build',
  useTemplate: 'view',
  enable: 'modify',
  disable: 'modify',
  delete: 'delete',
};

export async function requestImage(id: string, action: ImageAction): Promise<void> {
  await (await ready()).send(`/api/image/${id}/request`, { method: 'POST', body: { action } });
}

/** Asks something of images, one by one, and tells what came of it. */
export function useImageActions() {
  const t = useTranslations('common.asked.image');
  const inVain = useTranslations('common.askedInVain.image');
  const tell = useTell();
  const refresh = useRefresh();

  async function ask(images: ImageRecord[], action: Exclude<ImageAction, 'delete' | 'useTemplate'>): Promise<void> {
    const results = await Promise.allSettled(images.map((image) => requestImage(image.id, action)));
    const [done, failed] = [true, false].map((isDone) =>
      images.filter((_, index) => (results[index]?.status === 'fulfilled') === isDone),
    ) as [ImageRecord[], ImageRecord[]];
    const refusal = results.find((result) => result.status === 'rejected');
    if (done.length > 0) tell.done(t(action, { count: done.length, name: done[0]?.name ?? '' }));
    if (refusal) tell.failed(inVain(action, { count: failed.length, name: failed[0]?.name ?? '' }), refusal.reason);
    await refresh('images', 'builds');
  }
  return { ask };
}
