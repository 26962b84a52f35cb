'use client';

import { useEffect, useState, useSyncExternalStore } from 'react';
import { readEventStream } from '@/components/data/event-stream';
import { LogStore, type LogView } from '@/components/ui/log/log-store';

export type LogState = 'opening' | 'following' | 'lost' | 'ended';

interface LogOptions {
  workspaceId: string;
  /** Lines to begin with. */
  tail: number;
  /** Seconds or an engine's timestamp to begin at; all when left out. */
  since?: string | undefined;
  isOn: boolean;
  /** A new value opens the log anew: another container has another log. */
  generation: number;
}

interface Entry {
  t: string;
  m: string;
}

/** The log of a workspace as it is written. */
export function useWorkspaceLog(options: LogOptions): { store: LogStore; view: LogView; state: LogState; endMessage: string } {
  const { workspaceId, tail, since, isOn, generation } = options;
  const [store] = useState(() => new LogStore());
  const [state, setState] = useState<LogState>('opening');
  const [endMessage, setEndMessage] = useState('');
  const view = useSyncExternalStore(store.subscribe, store.getView, store.getView);

  useEffect(() => {
    if (!isOn) return;
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
        const { message = '' } = JSON.parse(data || '{}') as { message?: string };
        setEndMessage(message);
        setState('ended');
      },
    });
    return () => {
      close();
      store.clear();
      setState('opening');
    };
  }, [store, workspaceId, tail, since, isOn, generation]);
  return { store, view, state, endMessage };
}
