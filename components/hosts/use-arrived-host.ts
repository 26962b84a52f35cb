'use client';

import { useQuery } from '@tanstack/react-query';
import { ready } from '@/components/data/client';
import { dateMs } from '@/components/data/dates';
import type { HostRecord } from '@/components/data/types';
import { fieldIs } from '@/components/records/search/filter-text';

const POLL_MS = 2000;

/** The host of a name, once it has called since the token was made; asked for every two seconds until then. */
export function useArrivedHost(name: string, askedAtMs: number): HostRecord | undefined {
  const query = useQuery({
    queryKey: ['arrival', name, askedAtMs],
    enabled: name !== '',
    staleTime: 0,
    queryFn: async (): Promise<HostRecord | null> => {
      const filter = fieldIs('name', name);
      const { items } = await (
        await ready()
      )
        .collection('hosts')
        .getList<HostRecord>(1, 1, { filter, skipTotal: true, can: 1 });
      return items[0] ?? null;
    },
    refetchInterval: ({ state }) => (isHere(state.data, askedAtMs) ? false : POLL_MS),
  });
  return query.data && isHere(query.data, askedAtMs) ? query.data : undefined;
}

/** Clocks of browser and console may differ by a little. */
function isHere(host: HostRecord | null | undefined, askedAtMs: number): boolean {
  return (
    host?.status === 'online' &&
    (dateMs(host.lastHeartbeat) ?? 0) > askedAtMs - 60_000 &&
    (dateMs(host.created) ?? 0) > askedAtMs - 60_000
  );
}
