'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ready } from '@/components/data/client';

export interface BackupItem {
  key: string;
  size: number;
  modified: string;
  isAutomatic: boolean;
}

interface Backups {
  items: BackupItem[];
  isRunning: boolean;
  next: string;
  failure: string;
}

export const BACKUPS_CALL = '/api/console/backups';
const KEY = ['console-backups'];
const RUNNING_MS = 1500;
const QUIET_MS = 30_000;

/** The backups of the console; asked for often while one is being made. */
export function useBackups() {
  return useQuery({
    queryKey: KEY,
    queryFn: async () => (await ready()).send<Backups>(BACKUPS_CALL, { method: 'GET', requestKey: null }),
    refetchInterval: ({ state }) => (state.data?.isRunning ? RUNNING_MS : QUIET_MS),
    staleTime: 0,
  });
}

export function useRefreshBackups(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: KEY });
}

/** Does something to the backups. Rejects with what the console refused. */
export async function sendBackupCall<T = void>(path: string, method: 'POST' | 'DELETE', body?: object): Promise<T> {
  return (await ready()).send<T>(`${BACKUPS_CALL}${path}`, { method, body, requestKey: null });
}
