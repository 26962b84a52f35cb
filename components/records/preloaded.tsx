'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useLayoutEffect, type ReactNode } from 'react';
import { recordKeys, type ListParams } from '@/components/data/records';
import type { CollectionName } from '@/components/data/types';

export interface Answer {
  collection: CollectionName;
  params: ListParams;
  data: unknown;
}

/**
 * Takes the list that came with the page, before anything asks for it: what is shown follows a moment after the markup,
 * which knows neither the columns' widths nor the viewer's clock. What changed since is asked for once realtime stands.
 */
export function Preloaded({ answer, children }: { answer: Answer; children: ReactNode }) {
  const queries = useQueryClient();
  useLayoutEffect(() => {
    const key = recordKeys.list(answer.collection, answer.params);
    if (queries.getQueryData(key) === undefined) queries.setQueryData(key, answer.data);
  }, [queries, answer]);
  return children;
}
