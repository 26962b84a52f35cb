'use client';

import { useQuery } from '@tanstack/react-query';
import { ready } from '@/components/data/client';

/** Columns of one length, the oldest first. */
export interface HostMetrics {
  stepSeconds: number;
  /** Seconds since the Unix epoch. */
  at: number[];
  cpu: number[];
  memory: number[];
  disk: number[];
  load: number[];
  received: number[];
  sent: number[];
  gpu: number[];
  gpuMemory: number[];
  cpuCores: number;
  memoryBytes: number;
  diskBytes: number;
}
export const HOST_SPANS = ['recent', 'day', 'month'] as const;
export type HostSpan = (typeof HOST_SPANS)[number];

const LOOK_MS = { recent: 10_000, day: 60_000, month: 300_000 };

/** What a host uses, asked anew while the page is in sight. */
export function useHostMetrics(hostId: string, span: HostSpan) {
  return useQuery({
    queryKey: ['hostMetrics', hostId, span],
    queryFn: async ({ signal }): Promise<HostMetrics> =>
      (await ready()).send(`/api/host/${hostId}/metrics?span=${span}`, { method: 'GET', signal, requestKey: null }),
    staleTime: 0,
    retry: false,
    refetchInterval: LOOK_MS[span],
  });
}
