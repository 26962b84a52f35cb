'use client';

import { useEffect, useRef, useState } from 'react';
import { ready } from '@/components/data/client';
import { readEventStream } from '@/components/data/event-stream';
import { fieldProblems, messageOf } from '@/components/data/problems';
import type { ImageValues } from '../image-schema';

export type CheckState = 'idle' | 'running' | 'fine' | 'failed' | 'cancelled';

export interface Check {
  state: CheckState;
  /** Why not, in words; empty where nobody says. */
  message: string;
  /** The end of what the tools print. */
  log: string;
  /** What was checked; other lists have not been. */
  asked: string;
}

const LOG_CHARS = 200_000;
const IDLE: Check = { state: 'idle', message: '', log: '', asked: '' };
const ENDS: Readonly<Record<string, CheckState>> = { build_finished: 'fine', build_cancelled: 'cancelled' };

/** What a check is asked for with. */
export function askedOf({ build_on, baseImage, channels, environments }: ImageValues): string {
  return JSON.stringify({ build_on, baseImage, channels, environments });
}

/** Finds out on the build host whether the lists of a form can be had. Who leaves the page ends it. */
export function useCheck() {
  const [check, setCheck] = useState<Check>(IDLE);
  const running = useRef<{ id: string; close: () => void }>(undefined);
  const stop = (): void => {
    const { id, close } = running.current ?? {};
    running.current = undefined;
    close?.();
    if (id) void cancel(id);
  };
  useEffect(() => stop, []);

  async function start(values: ImageValues): Promise<void> {
    const asked = askedOf(values);
    setCheck({ ...IDLE, state: 'running', asked });
    try {
      const body = JSON.parse(asked) as object;
      const { id } = await (await ready()).send<{ id: string }>('/api/images/check', { method: 'POST', body });
      running.current = { id, close: follow(id, setCheck, () => (running.current = undefined)) };
    } catch (error) {
      const told = fieldProblems(error).map(({ message }) => message);
      const message = told.join(' ') || (messageOf(error) ?? '');
      setCheck({ ...IDLE, state: 'failed', message, asked });
    }
  }
  return {
    check,
    start,
    cancel: () => {
      stop();
      setCheck((before) => ({ ...before, state: 'cancelled' }));
    },
  };
}

async function cancel(id: string): Promise<void> {
  // It ends by itself, too.
  await (await ready()).send(`/api/images/check/${id}/cancel`, { method: 'POST' }).catch(() => undefined);
}

function follow(id: string, setCheck: (change: (before: Check) => Check) => void, onEnd: () => void): () => void {
  return readEventStream(`/api/images/check/${id}/log`, {
    onOpen: () => undefined,
    onLost: () => undefined,
    onMessage: (data) => {
      const { text } = JSON.parse(data) as { text: string };
      setCheck((before) => ({ ...before, log: (before.log + text).slice(-LOG_CHARS) }));
    },
    onEnd: (data) => {
      const { status = '', message = '' } = JSON.parse(data) as { status?: string; message?: string };
      setCheck((before) => ({ ...before, state: ENDS[status] ?? 'failed', message }));
      onEnd();
    },
  });
}
