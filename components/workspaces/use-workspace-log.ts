'use client';

import { useEffect, useState, useSyncExternalStore } from 'react';
import { readEventStream } from '@/components/data/event-stream';
import { LogStore, type LogView } from '@/components/ui/log/log-store';

export type LogState = 'opening' | 'following' | 'lost' | 'ended';

interface LogOptions {
  workspaceId: string;
  /** Lines to begin with. */
  tail: number;
  /** ISO date to begin at; all when left out. */
  since?: string | undefined;
  isOn: boolean;
  /** A new value opens the log anew: another container has another log. */
  generation: number;
}

/** The host was away: asked again after this long. */
const RETRY_MS = 3000;

interface Entry {
  t: string;
  m: string;
}

/** The log of a workspace as it is written. */
export function useWorkspaceLog(options: LogOptions): {
  store: LogStore;
  view: LogView;
  state: LogState;
  endMessage: string;
} {
  const { workspaceId, tail, since, isOn, generation } = options;
  const [store] = useState(() => new LogStore());
  const [state, setState] = useState<LogState>('opening');
  const [endMessage, setEndMessage] = useState('');
  const [attempt, setAttempt] = useState(0);
  const view = useSyncExternalStore(store.subscribe, store.getView, store.getView);

  useEffect(() => {
    if (!isOn) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const query = new URLSearchParams({ tail: String(tail), follow: '1', ...(since ? { since } : {}) });
    const close = readEventStream(`/api/workspace/${workspaceId}/logs?${query}`, {
      onOpen: () => setState('following'),
      onLost: () => setState('lost'),
      onMessage: (data) => {
        const entry = JSON.parse(data) as Entry;
        const atMs = Date.parse(entry.t);
        store.push(entry.m, Number.isNaN(atMs) ? undefined : atMs);
      },
      onEnd: (data) => {
        const { message = '', reason } = JSON.parse(data || '{}') as { message?: string; reason?: string };
        setEndMessage(message);
        setState(reason === 'lost' ? 'lost' : 'ended');
        if (reason === 'lost') timer = setTimeout(() => setAttempt((count) => count + 1), RETRY_MS);
      },
    });
    return () => {
      clearTimeout(timer);
      close();
      store.clear();
      setState('opening');
    };
  }, [store, workspaceId, tail, since, isOn, generation, attempt]);
  return { store, view, state, endMessage };
}
