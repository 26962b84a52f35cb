'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { createContext, use, useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { linkOf, watchTraversal } from './links';
import { useRealtime } from './session-provider';
import { useConsoleReach } from './use-console-reach';

interface Leaving {
  /** Goes to an address of the console, once nothing stands in the way. */
  go: (href: string) => void;
  /** Has every leaving asked about until the returned end; in these words, or in those for what is not saved. */
  hold: (words?: string) => () => void;
  isAway: boolean;
}

const LeavingContext = createContext<Leaving>({ go: () => undefined, hold: () => () => undefined, isAway: false });

export const useLeaving = () => use(LeavingContext);

/**
 * What stands between a page and the next one: changes that are not saved are asked about, and while the console is
 * away the page stays, as the browser would show its own error instead; it goes on once the console is back.
 */
export function LeavingProvider({ children }: { children: ReactNode }) {
  const t = useTranslations('common.form');
  const router = useRouter();
  const isLive = useRealtime().state.kind === 'live';
  const { isAway, reach } = useConsoleReach();
  const holds = useRef(new Set<{ words: string | undefined }>());
  const waiting = useRef<() => void>(undefined);
  const [asked, setAsked] = useState<{ proceed: () => void; words: string | undefined }>();

  useEffect(() => {
    if (isAway) return;
    waiting.current?.();
    waiting.current = undefined;
  }, [isAway]);

  const leave = useCallback(
    (move: () => void) => {
      const moveIfReached = () =>
        void reach().then((isThere) => {
          if (isThere) move();
          else waiting.current = move;
        });
      const proceed = isLive ? move : moveIfReached;
      const [held] = holds.current;
      if (held) setAsked({ proceed, words: held.words });
      else proceed();
    },
    [isLive, reach],
  );
  const go = useCallback((href: string) => leave(() => router.push(href)), [leave, router]);
  const hold = useCallback((words?: string) => {
    const held = { words };
    holds.current.add(held);
    return () => {
      holds.current.delete(held);
    };
  }, []);

  useEffect(() => {
    const onClick = (event: MouseEvent) => {
      const href = linkOf(event);
      if (href === undefined || (isLive && holds.current.size === 0)) return;
      event.preventDefault();
      event.stopPropagation();
      go(href);
    };
    const endWatch = watchTraversal(() => holds.current.size > 0, leave);
    document.addEventListener('click', onClick, true);
    return () => {
      endWatch();
      document.removeEventListener('click', onClick, true);
    };
  }, [go, isLive, leave]);

  const value = useMemo(() => ({ go, hold, isAway }), [go, hold, isAway]);
  return (
    <LeavingContext value={value}>
      {children}
      {asked && (
        <ConfirmDialog
          title={t('leaveTitle')}
          text={asked.words ?? t('leave')}
          confirmLabel={t('leaveButton')}
          onConfirm={async () => asked.proceed()}
          onClose={() => setAsked(undefined)}
        />
      )}
    </LeavingContext>
  );
}
