'use client';

import { useQuery } from '@tanstack/react-query';
import { ready } from '@/components/data/client';
import { fieldProblems, messageOf } from '@/components/data/problems';
import { useSettled } from '@/components/data/use-settled';
import type { ListFile } from '@/lib/vocabulary/list-files';
import type { Lists } from './merge-lists';

export interface LeftOut {
  line: number;
  text: string;
  reason: string;
}

export interface ReadFile extends Lists {
  kind: ListFile;
  leftOut: LeftOut[];
  leftOutCount: number;
}

/** What the console makes of a file's text, a moment after the typing paused, or why it can't be read. */
export function useReadLists(text: string, file: string) {
  const settled = useSettled(text);
  const { data, error } = useQuery({
    queryKey: ['import-lists', file, settled],
    queryFn: async () =>
      (await ready()).send<ReadFile>('/api/images/import', { method: 'POST', body: { text: settled, file } }),
    enabled: settled.trim() !== '',
    retry: false,
    gcTime: 0,
  });
  const refusal = error ? (fieldProblems(error)[0]?.message ?? messageOf(error)) : undefined;
  const isRead = settled.trim() !== '' && settled === text;
  return { read: isRead && !error ? data : undefined, error: error, refusal };
}
