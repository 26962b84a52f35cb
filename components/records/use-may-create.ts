'use client';

import { useAllRecords } from '@/components/data/records';

/** Whether any host lets the viewer make such things; true while that is not known yet. */
export function useMayCreate(flag: 'canCreateWorkspaces' | 'canCreateImages'): boolean {
  const hosts = useAllRecords('hosts', { sort: 'name' }).data;
  return !hosts || hosts.some((host) => host.can?.[flag]);
}
