'use client';

import { ready } from '@/components/data/client';
import { useRefresh } from '@/components/data/records';
import type { CollectionName, Collections } from '@/components/data/types';

/** Where a form's values come from and where they go. */
export interface RecordSource<Row extends { id: string; updated: string } | null> {
  collection: CollectionName;
  /** What is stored, as far as the page has heard; null before it was ever stored. */
  row: Row;
  /** Asks again what is stored. */
  read: () => Promise<Row>;
  /** Stores the changed fields of a body; resolves with what is stored then. */
  write: (body: Record<string, unknown>, changed: readonly string[]) => Promise<Row>;
  refresh: () => Promise<unknown>;
}

/** A record of a collection, as the source of a form. */
export function useRecordSource<Name extends CollectionName>(
  collection: Name,
  row: Collections[Name],
): RecordSource<Collections[Name]> {
  const refresh = useRefresh();
  const records = async () => (await ready()).collection(collection);
  return {
    collection,
    row,
    read: async () => (await records()).getOne<Collections[Name]>(row.id),
    write: async (body, changed) => {
      const sent = Object.fromEntries(Object.entries(body).filter(([name]) => changed.includes(name)));
      return (await records()).update<Collections[Name]>(row.id, sent);
    },
    refresh: () => refresh(collection),
  };
}
