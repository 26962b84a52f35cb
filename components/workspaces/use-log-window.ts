'use client';

import { useEffect, useRef, useState } from 'react';
import { readRows } from '@/components/data/read-rows';
import type { LogQuery } from '@/components/ui/log/log-query';
import type { NumberedLine } from '@/components/ui/log/log-store';
import type { LogStretch } from './log-span';
import type { WorkspaceLog } from './use-workspace-log';

export const OLDER_STEP = 20_000;
/** So far back older lines are loaded to reach a line; one farther off is shown by itself, with what is around it. */
const REACH = 50_000;
const AROUND = { before: 1000, after: 9000 };
const HITS_MAX = 10_000;
const SEARCH_DELAY_MS = 300;

interface Row {
  t: string;
  m: string;
  n: number;
}

export interface LogWindow {
  /** Number of the first line that is loaded; undefined while numbers aren't known. */
  first: number | undefined;
  isLoading: boolean;
  problem: string;
  loadOlder: () => Promise<void>;
  /** How many lines after the last one are not loaded; undefined at the end of the log. */
  newer: number | undefined;
  loadNewer: () => Promise<void>;
  /** Has the line with a number loaded. */
  goTo: (number: number) => Promise<void>;
}

function urlOf(workspaceId: string, call: 'range' | 'search', query: Record<string, string | number>): string {
  const texts = Object.entries(query).map(([key, value]) => [key, String(value)]);
  return `/api/workspace/${workspaceId}/logs/${call}?${new URLSearchParams(texts)}`;
}

async function readLines(url: string, signal: AbortSignal): Promise<{ lines: NumberedLine[]; hits: number }> {
  const lines: NumberedLine[] = [];
  let hits = 0;
  await readRows(url, signal, (row) => {
    if (!('k' in (row as object))) {
      const { t, m, n } = row as Row;
      lines.push({ text: m, stamp: t, number: n });
    } else hits = (row as { hits?: number }).hits ?? 0;
  });
  return { lines, hits };
}

/** Loads parts of a workspace's log that are not loaded. */
export function useLogWindow(workspaceId: string, log: WorkspaceLog): LogWindow {
  const { store, view, containerId } = log;
  const [isLoading, setLoading] = useState(false);
  const [problem, setProblem] = useState('');
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), [containerId]);
  const first = view.base === undefined || !view.first ? undefined : view.first.seq + view.base;

  async function load(range: { from: number; to: number; before?: string }, take: (lines: NumberedLine[]) => void) {
    running.current?.abort();
    const controller = (running.current = new AbortController());
    setLoading(true);
    setProblem('');
    try {
      const url = urlOf(workspaceId, 'range', { container: containerId, ...range });
      const { lines } = await readLines(url, controller.signal);
      if (!controller.signal.aborted) take(lines);
    } catch (error) {
      if (!controller.signal.aborted) setProblem(error instanceof Error ? error.message : String(error));
    } finally {
      if (running.current === controller) setLoading(false);
    }
  }
  function loadFrom(from: number) {
    if (first === undefined || first <= 1) return Promise.resolve();
    const before = view.first?.stamp ?? '';
    return load({ from: Math.max(1, from), to: first - 1, before }, (lines) => store.prepend(lines));
  }
  function goTo(number: number) {
    if (first !== undefined && number < first && first - number < REACH) return loadFrom(number - AROUND.before);
    const from = Math.max(1, number - AROUND.before);
    return load({ from, to: number + AROUND.after }, (lines) => store.replace(lines));
  }
  const base = view.base ?? 0;
  const last = view.last ? view.last.seq + base : 0;
  const newer = view.isDetached ? Math.max(0, view.received + base - last) : undefined;
  return {
    first,
    isLoading,
    problem,
    loadOlder: () => loadFrom((first ?? 1) - OLDER_STEP),
    newer,
    loadNewer: () => load({ from: last + 1, to: last + OLDER_STEP }, (lines) => store.append(lines)),
    goTo,
  };
}

export interface OutsideSearch {
  isSearching: boolean;
  problem: string;
  /** How many match, where that is more than is shown. */
  hits: number | undefined;
}

/** What came of what was asked. */
interface Found {
  asked: string;
  problem: string;
  hits: number | undefined;
}

/** Has the host search the parts of the log that are not loaded, and puts what it finds among the hits. */
export function useOutsideSearch(
  { workspaceId, query, since, until }: { workspaceId: string; query: LogQuery } & LogStretch,
  { log, first }: { log: WorkspaceLog; first: number | undefined },
): OutsideSearch {
  const { store, view, containerId } = log;
  const [found, setFound] = useState<Found>({ asked: '', problem: '', hits: undefined });
  const isAsking = query.pattern !== '' || query.levels.length > 0;
  const { isDetached } = view;
  const isDue = isAsking && !view.isPatternWrong && first !== undefined && (first > 1 || isDetached);
  const asked = isDue
    ? urlOf(workspaceId, 'search', {
        container: containerId,
        pattern: query.pattern,
        regex: query.isRegex ? 1 : 0,
        case: query.isCaseSensitive ? 1 : 0,
        invert: query.isInverted ? 1 : 0,
        levels: query.levels.join(','),
        limit: HITS_MAX,
        ...(isDetached ? {} : { to: first - 1 }),
      })
    : '';

  useEffect(() => {
    if (asked === '') return;
    const controller = new AbortController();
    async function search() {
      const { lines, hits } = await readLines(asked, controller.signal);
      const wanted = lines.filter(
        ({ stamp = '' }) => stamp >= (since ?? '') && (until === undefined || stamp <= until),
      );
      store.setOutside(wanted);
      setFound({ asked, problem: '', hits: hits > lines.length ? hits : undefined });
    }
    const timer = setTimeout(() => {
      search().catch((error: unknown) => {
        if (controller.signal.aborted) return;
        setFound({ asked, problem: error instanceof Error ? error.message : String(error), hits: undefined });
      });
    }, SEARCH_DELAY_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [store, asked, since, until]);
  const { problem, hits } = found.asked === asked ? found : { problem: '', hits: undefined };
  return { isSearching: asked !== found.asked && asked !== '', problem, hits };
}
