'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { ready } from '@/components/data/client';
import { fieldProblems } from '@/components/data/problems';
import { useRefresh } from '@/components/data/records';
import type { ImageRecord } from '@/components/data/types';
import { useTell } from '@/components/data/use-tell';
import { STARTERS } from '@/components/records/starters';
import { requestImage } from '@/components/records/use-image-actions';
import { Button } from '@/components/ui/button';
import { paths } from '@/lib/paths';

type Starter = (typeof STARTERS)[number];
const MOST_NAMES = 20;

/** Makes an image and has it built by one click. */
export function StarterButtons({ hostId }: { hostId: string }) {
  const t = useTranslations('common');
  const router = useRouter();
  const tell = useTell();
  const refresh = useRefresh();
  const [busy, setBusy] = useState<Starter['key']>();

  async function make(starter: Starter) {
    setBusy(starter.key);
    try {
      const image = await createStarter(starter, hostId);
      await requestImage(image.id, 'build').catch((error: unknown) => tell.failed(t('errors.failed'), error));
      await refresh('images');
      router.push(paths.image(image.id));
    } catch (error) {
      tell.failed(t('errors.failed'), error);
      setBusy(undefined);
    }
  }

  return STARTERS.map((starter) => (
    <Button
      key={starter.key}
      size="sm"
      isBusy={busy === starter.key}
      disabled={busy !== undefined && busy !== starter.key}
      onClick={() => void make(starter)}
    >
      {t(`starters.${starter.key}`)}
    </Button>
  ));
}

/** By the starter's name, or by the first free one with a number behind it. */
async function createStarter({ key, dockerfile }: Starter, hostId: string): Promise<ImageRecord> {
  const images = (await ready()).collection('images');
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? key : `${key}-${number}`;
    const body = { name, creationType: 'writeDockerfile', dockerfile, build_on: hostId, enabled: true };
    try {
      return await images.create<ImageRecord>(body);
    } catch (error) {
      const isTaken = fieldProblems(error).some(({ code }) => code === 'validation_not_unique');
      if (!isTaken || number === MOST_NAMES) throw error;
    }
  }
}
