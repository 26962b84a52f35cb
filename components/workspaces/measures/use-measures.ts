'use client';

import { useQuery } from '@tanstack/react-query';
import { ready } from '@/components/data/client';

/** Columns of one length, the oldest first. */
export interface Metrics {
  stepSeconds: number;
  /** Seconds since the Unix epoch. */
  at: number[];
  cpu: number[];
  memory: number[];
  received: number[];
  sent: number[];
  gpu: number[];
  gpuMemory: number[];
  memoryLimit: number;
}
export type MetricSpan = 'recent' | 'day';

export interface Listener {
  port: number;
  isLocal: boolean;
}

const LOOK_MS = { recent: 10_000, day: 60_000 };
const PORTS_LOOK_MS = 15_000;

/** What a workspace uses, asked anew at the pace at which it is measured, while the page is in sight. */
export function useMetrics(workspaceId: string, span: MetricSpan) {
  return useQuery({
    queryKey: ['workspaceMetrics', workspaceId, span],
    queryFn: async ({ signal }): Promise<Metrics> =>
      (await ready()).send(`/api/workspace/${workspaceId}/metrics?span=${span}`, { method: 'GET', signal }),
    staleTime: 0,
    retry: false,
    refetchInterval: LOOK_MS[span],
  });
}

/** What is listened on in a workspace that runs. */
export function useListeners(workspaceId: string) {
  return useQuery({
    queryKey: ['workspaceListeners', workspaceId],
    queryFn: async ({ signal }): Promise<Listener[]> => {
      const client = await ready();
      const options = { method: 'GET', signal };
      const answer = await client.send<{ listeners: Listener[] }>(`/api/workspace/${workspaceId}/ports`, options);
      return answer.listeners;
    },
    staleTime: 0,
    retry: false,
    refetchInterval: PORTS_LOOK_MS,
  });
}
