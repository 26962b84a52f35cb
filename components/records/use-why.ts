'use client';

import { useQuery } from '@tanstack/react-query';
import { ready } from '@/components/data/client';
import type { CollectionName } from '@/components/data/types';

/** One reason why somebody may do something, as the API answers it. */
export interface Ground {
  kind: 'admin' | 'owner' | 'grant' | 'signedIn' | 'self' | 'member';
  flags: string[];
  group: { id: string; name: string } | null;
  setBy: { id: string; name: string } | null;
  at: string;
}

interface Answer {
  may: boolean;
  grounds: Ground[];
}

export interface Why {
  acts: (Answer & { act: string })[];
  addresses: (Answer & { url: string })[];
  /** Whether being an admin was left out, which is for admins to know. */
  isWithoutAdmins: boolean;
}

export type WhyCollection = Extract<
  CollectionName,
  'hosts' | 'images' | 'workspaces' | 'volumes' | 'networks' | 'files' | 'domains'
>;

export interface WhyQuestion {
  collection: WhyCollection;
  recordId: string;
  userId: string;
}

/** Why a person may do what with a record; asked anew when permissions or groups change. */
export function useWhy({ collection, recordId, userId }: WhyQuestion) {
  return useQuery({
    queryKey: ['why', collection, recordId, userId],
    meta: { concerns: concernsRights },
    queryFn: async () => {
      const query = new URLSearchParams({ collection, record: recordId, user: userId }).toString();
      return (await ready()).send<Why>(`/api/permissions/why?${query}`, { method: 'GET' });
    },
  });
}

/** Whether a changed record may change who may do what. */
export function concernsRights({ collectionName }: { collectionName: string }): boolean {
  return collectionName.endsWith('_permissions') || collectionName === 'group_members' || collectionName === 'groups';
}
