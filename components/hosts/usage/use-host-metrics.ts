'use client';

import { useQuery } from '@tanstack/react-query';
import { ready } from '@/components/data/client';
import type { HostMetrics, HostMetricSpan } from '@/components/data/types';

export const HOST_SPANS = ['recent', 'day', 'month'] as const satisfies readonly HostMetricSpan[];

const LOOK_MS: Record<HostMetricSpan, number> = { recent: 10_000, day: 60_000, month: 300_000 };

/** What a host uses, asked anew while the page is in sight. */
export function useHostMetrics(hostId: string, span: HostMetricSpan) {
  return useQuery({
    queryKey: ['hostMetrics', hostId, span],
    queryFn: async ({ signal }): Promise<HostMetrics> =>
      (await ready()).send(`/api/host/${hostId}/metrics?span=${span}`, { method: 'GET', signal, requestKey: null }),
    staleTime: 0,
    retry: false,
    refetchInterval: LOOK_MS[span],
  });
}
