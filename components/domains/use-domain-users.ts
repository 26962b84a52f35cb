'use client';

import { useQuery } from '@tanstack/react-query';
import { ready } from '@/components/data/client';
import type { Concerns } from '@/components/data/realtime-cache';

interface DomainUsers {
  items: { id: string; name: string; addresses: string[] }[];
  /** Workspaces that are not listed. */
  more: number;
}

/** The workspaces with an address under a domain, as far as the viewer may see them. */
export function useDomainUsers(domainId: string) {
  return useQuery({
    queryKey: ['workspaces-under', domainId],
    meta: { concerns: concernsDomain(domainId) },
    queryFn: async () => (await ready()).send<DomainUsers>(`/api/domain/${domainId}/workspaces`, { method: 'GET' }),
  });
}

/** A workspace that has an address under the domain now, or had one. */
function concernsDomain(domainId: string): Concerns {
  return ({ collectionName, id, externalUrls }, data) =>
    collectionName === 'workspaces' &&
    (JSON.stringify(externalUrls ?? '').includes(domainId) ||
      (data as DomainUsers | undefined)?.items.some((item) => item.id === id) === true);
}
