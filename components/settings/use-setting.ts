'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ready } from '@/components/data/client';
import { recordKeys } from '@/components/data/records';
import type { SettingRecord } from '@/components/data/types';

/** One setting by its key, null where nobody has saved it yet, and a way to save it. */
export function useSetting(key: string) {
  const queries = useQueryClient();
  const queryKey = [...recordKeys.collection('settings'), 'key', key];
  const query = useQuery({
    queryKey,
    queryFn: async (): Promise<SettingRecord | null> => {
      const settings = (await ready()).collection('settings');
      const { items } = await settings.getList<SettingRecord>(1, 1, { filter: `key = "${key}"`, skipTotal: true });
      return items[0] ?? null;
    },
  });
  async function save(value: unknown): Promise<void> {
    const settings = (await ready()).collection('settings');
    const id = query.data?.id;
    const saved = id
      ? await settings.update<SettingRecord>(id, { value })
      : await settings.create<SettingRecord>({ key, value });
    queries.setQueryData(queryKey, saved);
  }
  return { query, save };
}
