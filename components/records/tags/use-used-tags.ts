'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ready } from '@/components/data/client';
import { useSettled } from '@/components/data/use-settled';
import { spellTag, type Tagged } from '@/lib/vocabulary/tags';

export interface UsedTag {
  tag: string;
  count: number;
}

/** The tags with this in them that the viewer sees somewhere, or on one kind of records; the most used first. */
export function useUsedTags(text: string, { kind, isEnabled = true }: { kind?: Tagged; isEnabled?: boolean } = {}) {
  const search = useSettled(spellTag(text));
  const { data, isPlaceholderData } = useQuery({
    queryKey: ['used-tags', kind ?? '', search],
    queryFn: async () => {
      const query = { ...(kind && { collection: kind }), ...(search && { search }) };
      return (await (await ready()).send<{ items: UsedTag[] }>('/api/tags', { method: 'GET', query })).items;
    },
    placeholderData: keepPreviousData,
    enabled: isEnabled,
    staleTime: 0,
  });
  // What an earlier text found is still in sight while the next answer is on its way.
  const tags = (data ?? []).filter(({ tag }) => tag.includes(spellTag(text)));
  return { tags, isBusy: data === undefined || isPlaceholderData };
}
