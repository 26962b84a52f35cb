'use client';

import { useQuery } from '@tanstack/react-query';
import { useFormatter } from 'next-intl';
import { ready } from '@/components/data/client';
import { useFormats } from '@/components/records/use-formats';
import type { QUOTA_SOURCES, QuotaAmount, QuotaTime } from '@/lib/vocabulary/quota';

/** What says how much somebody may have; null is no bound. */
export interface ToldBound {
  bound: number | null;
  from: (typeof QUOTA_SOURCES)[number];
  group: { id: string; name: string } | null;
}

/** One amount of somebody's quota, as the API answers it. Bytes of memory and storage, cores of CPUs. */
export interface ToldAmount extends ToldBound {
  amount: QuotaAmount;
  used: number;
  uncounted: number;
}

/** How far somebody may go about the time of their workspaces, in the unit of the field. */
export interface ToldTime extends ToldBound {
  time: QuotaTime;
}

interface ToldQuota {
  isAdmin: boolean;
  amounts: ToldAmount[];
  times: ToldTime[];
}

const CONCERNED = new Set([
  'quotas',
  'settings',
  'workspaces',
  'volumes',
  'volume_backups',
  'group_members',
  'groups',
  'users',
]);

/** What a person may have and what of it they use; asked anew when one of them changes. */
export function useQuota(userId: string) {
  return useQuery({
    queryKey: ['quota', userId],
    meta: { concerns: ({ collectionName }: { collectionName: string }) => CONCERNED.has(collectionName) },
    staleTime: 0,
    queryFn: async () => (await ready()).send<ToldQuota>(`/api/quota?user=${userId}`, { method: 'GET' }),
  });
}

/** Amounts in words of the page: bytes with their unit, all else as numbers. */
export function useAmountFormat(): (amount: QuotaAmount, value: number) => string {
  const { bytes } = useFormats();
  const format = useFormatter();
  return (amount, value) =>
    amount.endsWith('Bytes') ? bytes(value) : format.number(value, { maximumFractionDigits: 2 });
}
