'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ready } from '@/components/data/client';
import { recordKeys } from '@/components/data/records';
import type { SettingRecord } from '@/components/data/types';
import type { RecordSource } from '@/components/records/record-source';

const settings = async () => (await ready()).collection('settings');

async function readSetting(key: string): Promise<SettingRecord | null> {
  const { items } = await (
    await settings()
  ).getList<SettingRecord>(1, 1, { filter: `key = "${key}"`, skipTotal: true });
  return items[0] ?? null;
}

const keyOf = (key: string) => [...recordKeys.collection('settings'), 'key', key];

/** One setting by its key, null where nobody has saved it yet. */
export function useSetting(key: string) {
  return useQuery({ queryKey: keyOf(key), queryFn: () => readSetting(key) });
}

/** A setting as the source of a form: its value is stored as a whole, so what others changed is read before. */
export function useSettingSource(key: string, row: SettingRecord | null): RecordSource<SettingRecord | null> {
  const queries = useQueryClient();
  return {
    collection: 'settings',
    row,
    read: () => readSetting(key),
    write: async (value) => {
      const stored = await readSetting(key);
      return stored
        ? (await settings()).update<SettingRecord>(stored.id, { value })
        : (await settings()).create<SettingRecord>({ key, value });
    },
    refresh: () => queries.invalidateQueries({ queryKey: keyOf(key) }),
  };
}
