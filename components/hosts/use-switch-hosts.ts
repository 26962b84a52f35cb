'use client';

import { useTranslations } from 'next-intl';
import { ready } from '@/components/data/client';
import { useRefresh } from '@/components/data/records';
import type { HostRecord } from '@/components/data/types';
import { useTell } from '@/components/data/use-tell';

/** Enables or disables hosts, one by one, and tells what came of it. */
export function useSwitchHosts() {
  const t = useTranslations('common.asked.host');
  const inVain = useTranslations('common.askedInVain.host');
  const tell = useTell();
  const refresh = useRefresh();
  return async (hosts: HostRecord[], change: 'enable' | 'disable'): Promise<void> => {
    const collection = (await ready()).collection('hosts');
    const enabled = change === 'enable';
    const results = await Promise.allSettled(hosts.map(({ id }) => collection.update(id, { enabled })));
    const done = hosts.filter((_, index) => results[index]?.status === 'fulfilled');
    const failed = hosts.filter((_, index) => results[index]?.status === 'rejected');
    const refusal = results.find((result) => result.status === 'rejected');
    if (done.length > 0) tell.done(t(change, { count: done.length, name: done[0]?.name ?? '' }));
    if (refusal) tell.failed(inVain(change, { count: failed.length, name: failed[0]?.name ?? '' }), refusal.reason);
    await refresh('hosts');
  };
}
