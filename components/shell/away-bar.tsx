'use client';

import { Unplug } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useLeaving } from '@/components/data/leaving';
import { Notice } from '@/components/ui/notice';

/** Above the page while the console does not answer. */
export function AwayBar() {
  const t = useTranslations('layout.away');
  const { isAway } = useLeaving();
  return (
    <div role="status">
      {isAway && (
        <Notice tone="warn" icon={<Unplug aria-hidden="true" />} className="mx-6 mt-3 max-lg:mx-4">
          <span className="font-medium">{t('title')}</span> <span className="text-text-2">{t('text')}</span>
        </Notice>
      )}
    </div>
  );
}
