'use client';

import { useRecordCount } from '@/components/data/records';
import { useGivenFilter } from './record-choices';
import { allOf } from './search/filter-text';

/** Undefined while it is not known yet: nothing is offered then, and nothing is said of it. */
export type May = boolean | undefined;

function isAny(count: number | undefined): May {
  return count === undefined ? undefined : count !== 0;
}

/** Whether any host lets the viewer make such things. */
export function useMayCreate(flag: 'canCreateWorkspaces' | 'canCreateImages' | 'canCreateNetworks'): May {
  return isAny(useRecordCount('hosts', useGivenFilter('host', flag)));
}

/** The hosts that let the viewer make volumes of one sort or the other. */
export function useVolumeHostsFilter(): string {
  const named = useGivenFilter('host', 'canCreateVolumeMounts');
  const folders = useGivenFilter('host', 'canCreateBindMounts');
  return named === '' ? '' : `${named} || ${folders}`;
}

/** Whether any host lets the viewer make volumes. */
export function useMayCreateVolumes(): May {
  return isAny(useRecordCount('hosts', useVolumeHostsFilter()));
}

/** Whether the viewer can make a workspace: a host lets them, and there is an image to run. */
export function useMayStart(): May {
  const mayCreate = useMayCreate('canCreateWorkspaces');
  const given = useGivenFilter('image', 'deploy');
  const hasImages = isAny(useRecordCount('images', allOf('template = false', given)));
  return mayCreate === false || hasImages === false ? false : mayCreate && hasImages;
}
