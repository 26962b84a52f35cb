'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ready } from '@/components/data/client';
import { recordKeys } from '@/components/data/records';
import type { RecordSource } from '@/components/records/record-source';
import type { QuotaRecord } from './quota-values';

/** Whose a quota is: one of both, or neither for everybody. */
export interface QuotaHolder {
  user?: string;
  group?: string;
}

const quotas = async () => (await ready()).collection('quotas');

async function readQuota({ user = '', group = '' }: QuotaHolder): Promise<QuotaRecord | null> {
  const filter = `user = "${user}" && group = "${group}"`;
  const { items } = await (await quotas()).getList<QuotaRecord>(1, 1, { filter, skipTotal: true });
  return items[0] ?? null;
}

const keyOf = ({ user = '', group = '' }: QuotaHolder) => [...recordKeys.collection('quotas'), 'of', user, group];

/** The quota of somebody, null where none was set yet. */
export function useQuotaOf(holder: QuotaHolder) {
  return useQuery({ queryKey: keyOf(holder), queryFn: () => readQuota(holder) });
}

/** It as the source of a form: stored with the first save. */
export function useQuotaSource(holder: QuotaHolder, row: QuotaRecord | null): RecordSource<QuotaRecord | null> {
  const queries = useQueryClient();
  return {
    collection: 'quotas',
    row,
    read: () => readQuota(holder),
    write: async (body, changed) => {
      const stored = await readQuota(holder);
      const sent = Object.fromEntries(Object.entries(body).filter(([name]) => changed.includes(name)));
      return stored
        ? (await quotas()).update<QuotaRecord>(stored.id, sent)
        : (await quotas()).create<QuotaRecord>({ ...sent, ...holder });
    },
    refresh: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: keyOf(holder) }),
        queries.invalidateQueries({ queryKey: ['quota'] }),
      ]),
  };
}
