'use client';

import { useAllRecords } from '@/components/data/records';

/** How many workspaces that the viewer may see lie on each host. */
export function useWorkspaceCounts(): Record<string, number> {
  const workspaces = useAllRecords('workspaces', { sort: 'name' }).data ?? [];
  const counts: Record<string, number> = {};
  for (const { host } of workspaces) counts[host] = (counts[host] ?? 0) + 1;
  return counts;
}
