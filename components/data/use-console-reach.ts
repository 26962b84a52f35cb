'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useRealtime } from './session-provider';

const AGAIN_MS = 2000;
const ANSWER_LIMIT_MS = 5000;

async function answers(): Promise<boolean> {
  try {
    return (await fetch('/api/health', { cache: 'no-store', signal: AbortSignal.timeout(ANSWER_LIMIT_MS) })).ok;
  } catch {
    return false;
  }
}

/**
 * Whether the console is away. It is asked when the live connection breaks, when the device loses its network and by
 * `reach`, then again and again until it answers; what is shown is loaded anew by then.
 */
export function useConsoleReach(): { isAway: boolean; reach: () => Promise<boolean> } {
  const queries = useQueryClient();
  const { state } = useRealtime();
  const [isAway, setAway] = useState(false);
  const asking = useRef<Promise<boolean>>(undefined);

  const reach = useCallback(() => {
    asking.current ??= answers().then((isThere) => {
      asking.current = undefined;
      setAway(!isThere);
      return isThere;
    });
    return asking.current;
  }, []);

  const isBroken = state.kind === 'waiting';
  useEffect(() => {
    if (isBroken) void reach();
  }, [isBroken, reach]);
  useEffect(() => {
    const onOffline = () => void reach();
    window.addEventListener('offline', onOffline);
    return () => window.removeEventListener('offline', onOffline);
  }, [reach]);
  useEffect(() => {
    if (!isAway) return;
    const timer = setInterval(() => {
      void reach().then((isThere) => (isThere ? queries.invalidateQueries() : undefined));
    }, AGAIN_MS);
    return () => clearInterval(timer);
  }, [isAway, queries, reach]);

  return { isAway, reach };
}
