'use client';

import { useEffect, useState, useSyncExternalStore } from 'react';
import { readEventStream } from '@/components/data/event-stream';
import { LogStore, type LogView } from '@/components/ui/log/log-store';

/** `ended`: the container is down, and what it prints next follows. `over`: nothing more is to come. */
export type LogState = 'opening' | 'following' | 'restarting' | 'ended' | 'lost' | 'over';

interface LogOptions {
  workspaceId: string;
  /** Lines to begin with. */
  tail: number;
  /** ISO date to begin at; all when left out. */
  since?: string | undefined;
  /** ISO date to end at; followed when left out. */
  until?: string | undefined;
  /** Lines that are kept at most. */
  kept?: number | undefined;
  isOn: boolean;
  /** Whether the lines' numbers are wanted. */
  isNumbered?: boolean;
}

/** The host was away: asked again after this long. */
const RETRY_MS = 3000;

interface Entry {
  t: string;
  m: string;
}

type News =
  | { k: 'source'; containerId: string }
  | { k: 'ended'; exitCode: number; isRestarting: boolean }
  | { k: 'numbered'; before: number };

export interface WorkspaceLog {
  store: LogStore;
  view: LogView;
  state: LogState;
  endMessage: string;
  /** The container whose lines these are; empty while none has come. */
  containerId: string;
  /** Of its last end, while it is down. */
  exitCode: number | undefined;
  /** Loads the newest lines anew. */
  reopen: () => void;
}

/** The log of a workspace as it is written, on through ends and starts. */
export function useWorkspaceLog(options: LogOptions): WorkspaceLog {
  const { workspaceId, tail, since, until, kept, isOn, isNumbered = false } = options;
  const [store] = useState(() => new LogStore({ kept }));
  const [state, setState] = useState<LogState>('opening');
  const [endMessage, setEndMessage] = useState('');
  const [containerId, setContainerId] = useState('');
  const [exitCode, setExitCode] = useState<number>();
  const [attempt, setAttempt] = useState(0);
  const view = useSyncExternalStore(store.subscribe, store.getView, store.getView);

  useEffect(() => {
    if (!isOn) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let source = '';
    // Place of the first line after the source was named: the number that is told is that one's.
    let anchor = 1;
    const reopen = () => setAttempt((count) => count + 1);
    const goOn = () => {
      setState('following');
      setExitCode(undefined);
    };
    function takeNews(news: News) {
      if (news.k === 'numbered') return store.setNumber(anchor, news.before);
      if (news.k === 'ended') {
        setState(news.isRestarting ? 'restarting' : 'ended');
        return setExitCode(news.exitCode);
      }
      if (source !== '' && source !== news.containerId) store.clear();
      source = news.containerId;
      anchor = store.nextSeq;
      setContainerId(source);
      goOn();
    }
    const query = new URLSearchParams({
      tail: String(tail),
      follow: '1',
      ...(isNumbered && { numbered: '1' }),
      ...(since !== undefined && { since }),
      ...(until !== undefined && { until }),
    });
    const close = readEventStream(`/api/workspace/${workspaceId}/logs?${query}`, {
      onOpen: () => setState('following'),
      onLost: () => setState('lost'),
      onNews: (data) => takeNews(JSON.parse(data) as News),
      onMessage: (data) => {
        const entry = JSON.parse(data) as Entry;
        store.push(entry.m, entry.t);
        goOn();
      },
      onEnd: (data) => {
        const { message = '', reason } = JSON.parse(data || '{}') as { message?: string; reason?: string };
        store.flush();
        setEndMessage(message);
        setState(reason === 'lost' ? 'lost' : 'over');
        if (reason === 'lost') timer = setTimeout(reopen, RETRY_MS);
      },
    });
    return () => {
      clearTimeout(timer);
      close();
      store.clear();
      setState('opening');
      setContainerId('');
      setExitCode(undefined);
    };
  }, [store, workspaceId, tail, since, until, isOn, isNumbered, attempt]);
  return { store, view, state, endMessage, containerId, exitCode, reopen: () => setAttempt((count) => count + 1) };
}
