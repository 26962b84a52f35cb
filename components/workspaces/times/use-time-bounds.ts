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

/** How the time of workspaces is bounded here; 0 is no bound. */
export function useTimeBounds(): TimeBounds | undefined {
  const { data } = useQuery({
    queryKey: ['time-bounds'],
    queryFn: async () => (await ready()).send<TimeBounds>('/api/workspaces/time-bounds', { requestKey: null }),
  });
  return data;
}
