'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ready } from '@/components/data/client';
import { useSettled } from '@/components/data/use-settled';
import { spellTag, TAGGED } from '@/lib/vocabulary/tags';
import type { TagScope } from './tag-scope';

export interface UsedTag {
  tag: string;
  count: number;
}

const CARRY: ReadonlySet<string> = new Set(TAGGED);

/** The tags with this in them that the viewer sees on the records of the scope; the most used first. */
export function useUsedTags(
  text: string,
  { kind, template, isEnabled = true }: TagScope & { isEnabled?: boolean } = {},
) {
  const search = useSettled(spellTag(text));
  const { data, isPlaceholderData } = useQuery({
    queryKey: ['used-tags', kind ?? '', template ?? '', search],
    meta: {
      concerns: ({ collectionName }: { collectionName: string }) =>
        kind ? collectionName === kind : CARRY.has(collectionName),
    },
    queryFn: async () => {
      const query = {
        ...(kind && { collection: kind }),
        ...(template !== undefined && { template }),
        ...(search && { search }),
      };
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
