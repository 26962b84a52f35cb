'use client';

import { useQuery } from '@tanstack/react-query';
import { ready } from '@/components/data/client';

export interface TimeBounds {
  idleMinutesDefault: number;
  idleMinutesMax: number;
  deleteDaysDefault: number;
  deleteDaysMax: number;
  keepHoursMax: number;
}

const CONCERNED = new Set(['quotas', 'settings', 'groups', 'group_members', 'users']);

/** How the time of a workspace is bounded, empty for one that the viewer makes; 0 is no bound. */
export function useTimeBounds(workspaceId: string): TimeBounds | undefined {
  const { data } = useQuery({
    queryKey: ['time-bounds', workspaceId],
    meta: { concerns: ({ collectionName }: { collectionName: string }) => CONCERNED.has(collectionName) },
    queryFn: async () =>
      (await ready()).send<TimeBounds>(`/api/workspaces/time-bounds?workspace=${workspaceId}`, { requestKey: null }),
  });
  return data;
}
