'use client';

import { useEffect, useState } from 'react';
import { openQuery, type LogQuery } from '@/components/ui/log/log-query';
import type { LogStore, LogView } from '@/components/ui/log/log-store';

export interface LogSearchState {
  query: LogQuery;
  onQuery: (query: LogQuery) => void;
  /** Place (`seq`) of the hit that was stepped to. */
  current: number | undefined;
  /** To the next hit, or the one before. */
  onStep: (by: number) => void;
}

/** What is looked for in a log, and the hit that the reader is at. */
export function useLogSearch(
  { store, view }: { store: LogStore; view: LogView },
  onHit: (seq: number) => void,
  begin: LogQuery = openQuery,
): LogSearchState {
  const [query, setQuery] = useState<LogQuery>(begin);
  const [current, setCurrent] = useState<number>();
  useEffect(() => store.setQuery(begin), [store, begin]);
  return {
    query,
    onQuery(next) {
      setQuery(next);
      setCurrent(undefined);
      store.setQuery(next);
    },
    current,
    onStep(by) {
      const { hits } = view;
      const at = current === undefined ? -1 : hits.indexOf(current);
      const next = at < 0 ? hits.at(by > 0 ? 0 : -1) : hits[(at + by + hits.length) % hits.length];
      if (next === undefined) return;
      setCurrent(next);
      onHit(next);
    },
  };
}
