'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { ready } from '@/components/data/client';
import { fieldProblems } from '@/components/data/problems';
import { useRefresh } from '@/components/data/records';
import type { HostRecord } from '@/components/data/types';
import { useTell } from '@/components/data/use-tell';

interface MaintenanceState {
  running: number;
  stopped: number;
}

type Change = { reason: string; stopWorkspaces: boolean } | { startWorkspaces: boolean };

/** How many workspaces a host's maintenance concerns, and what begins and ends it. */
export function useMaintenance({ id, name }: HostRecord) {
  const t = useTranslations('pages.hosts.maintenance');
  const tell = useTell();
  const refresh = useRefresh();
  const { data } = useQuery({
    queryKey: ['host-maintenance', id],
    queryFn: async ({ signal }) =>
      (await ready()).send<MaintenanceState>(`/api/host/${id}/maintenance`, { signal, requestKey: null }),
    // Counted when it is asked for.
    staleTime: 0,
    gcTime: 0,
  });

  /** Resolves with what is wrong with the reason, `undefined` for nothing. */
  async function change(body: Change): Promise<string | undefined> {
    const isBeginning = 'reason' in body;
    const path = `/api/host/${id}/${isBeginning ? 'maintenance' : 'end-maintenance'}`;
    try {
      await (await ready()).send(path, { method: 'POST', body, requestKey: null });
    } catch (error) {
      tell.failed(t('failed', { name }), error);
      return fieldProblems(error)[0]?.message ?? t('failed', { name });
    }
    tell.done(t(isBeginning ? 'begun' : 'ended', { name }));
    await refresh('hosts');
    return undefined;
  }
  return { state: data, change };
}
