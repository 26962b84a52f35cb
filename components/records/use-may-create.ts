'use client';

import { useRecordCount } from '@/components/data/records';
import { useGivenFilter } from './record-choices';

/** Whether any host lets the viewer make such things; true while that is not known yet. */
export function useMayCreate(flag: 'canCreateWorkspaces' | 'canCreateImages'): boolean {
  return useRecordCount('hosts', useGivenFilter('host', flag)) !== 0;
}
