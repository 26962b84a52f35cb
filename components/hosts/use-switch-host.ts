'use client';

import { useTranslations } from 'next-intl';
import { ready } from '@/components/data/client';
import { useRefresh } from '@/components/data/records';
import type { HostRecord } from '@/components/data/types';
import { useTell } from '@/components/data/use-tell';

/** Enables a disabled host and the other way round. */
export function useSwitchHost(host: HostRecord): () => Promise<void> {
  const t = useTranslations('common');
  const tell = useTell();
  const refresh = useRefresh();
  return async () => {
    try {
      await (await ready()).collection('hosts').update(host.id, { enabled: !host.enabled });
      tell.done(t(host.enabled ? 'told.disabled' : 'told.enabled', { name: host.name }));
      await refresh('hosts');
    } catch (error) {
      tell.failed(t('errors.failed'), error);
    }
  };
}
