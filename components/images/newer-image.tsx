'use client';

import { CircleArrowDown } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { ready } from '@/components/data/client';
import type { ImageRecord } from '@/components/data/types';
import { useTell } from '@/components/data/use-tell';
import { Age } from '@/components/records/age';
import { useImageActions } from '@/components/records/use-image-actions';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';

/** That the registry has something else under the name by now, and the way to it. */
export function NewerNotice({ image }: { image: ImageRecord }) {
  const t = useTranslations('pages.images.newer');
  const { ask } = useImageActions();
  if (image.newerDigest === '' || image.status !== 'build_finished') return null;
  return (
    <Notice
      tone="accent"
      icon={<CircleArrowDown />}
      actions={
        image.can?.build && (
          <Button size="sm" onClick={() => void ask([image], 'build')}>
            {t('pull')}
          </Button>
        )
      }
    >
      {t('there')} <span className="mono">{image.newerDigest.replace('sha256:', '').slice(0, 12)}</span>
    </Notice>
  );
}

/** When the registry was last asked whether it has a newer image, and a button that asks it now. */
export function NewerChecked({ image }: { image: ImageRecord }) {
  const t = useTranslations('pages.images.newer');
  const tell = useTell();
  const [isAsking, setAsking] = useState(false);
  async function check() {
    setAsking(true);
    try {
      const path = `/api/image/${image.id}/check-newer`;
      const { isNewer } = await (await ready()).send<{ isNewer: boolean }>(path, { method: 'POST' });
      tell.done(t(isNewer ? 'found' : 'none'));
    } catch (error) {
      tell.failed(t('inVain'), error);
    } finally {
      setAsking(false);
    }
  }
  return (
    <span className="flex items-center gap-3">
      {image.newerChecked ? <Age at={image.newerChecked} /> : t('never')}
      {image.can?.build && image.imageId !== '' && (
        <Button size="sm" variant="ghost" isBusy={isAsking} onClick={() => void check()}>
          {t('check')}
        </Button>
      )}
    </span>
  );
}
