'use client';

import { useState } from 'react';
import { useNow } from '@/components/data/use-now';
import { limits } from '@/lib/vocabulary/limits';

const PAUSE_MS = limits.mailPauseSeconds * 1000;

/** The time after a mail in which the server sends no second one of its kind. */
export function useMailPause({ isStarted }: { isStarted: boolean }): { secondsLeft: number; start: () => void } {
  const [endMs, setEndMs] = useState(() => (isStarted ? Date.now() + PAUSE_MS : 0));
  const now = useNow();
  return {
    secondsLeft: Math.min(limits.mailPauseSeconds, Math.max(0, Math.ceil((endMs - now) / 1000))),
    start: () => setEndMs(Date.now() + PAUSE_MS),
  };
}
