'use client';

import { useQuery } from '@tanstack/react-query';
import { ready } from '@/components/data/client';
import type { BuildRecord } from '@/components/data/types';
import type { BuildLock } from '@/lib/vocabulary/build-lock';

/** What a build has resolved; asked for once, as it never changes. */
export function useBuildLock(build: BuildRecord | undefined, isEnabled = true) {
  const id = build?.id ?? '';
  return useQuery({
    queryKey: ['build-lock', id],
    queryFn: async () =>
      (await (await ready()).send<{ lock: BuildLock }>(`/api/builds/${id}/lock`, { method: 'GET' })).lock,
    enabled: isEnabled && build !== undefined && isLocked(build),
    staleTime: Infinity,
  });
}

/** Whether a build is good and has told what it resolved. */
export function isLocked({ status, hasLock }: BuildRecord): boolean {
  return status === 'build_finished' && hasLock;
}
