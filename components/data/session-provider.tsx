'use client';

import { useQueryClient } from '@tanstack/react-query';
import { usePathname, useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { createContext, use, useEffect, useRef, useState, useSyncExternalStore, type ReactNode } from 'react';
import { showToast } from '@/components/ui/toast';
import { paths } from '@/lib/paths';
import { checkSession, endSession, onSessionExpired, openSession } from './client';
import { askAnew, LateAnswers } from './late-answers';
import { patchCaches } from './realtime-cache';
import type { LinkState } from './realtime-link';
import { RealtimeStore } from './realtime-store';
import type { Viewer } from './types';

/** A tab that changed the password of the viewer has logged in anew by then, for all tabs of its browser. */
const RENEWAL_MS = 5000;

const ViewerContext = createContext<Viewer | null>(null);
const RealtimeContext = createContext<RealtimeStore | null>(null);

/** Holds who is signed in, the API's token, and the realtime connection. Signs out when the server says 401. */
export function SessionProvider({ viewer, children }: { viewer: Viewer; children: ReactNode }) {
  const t = useTranslations('common.session');
  const router = useRouter();
  const queries = useQueryClient();
  const [realtime, setRealtime] = useState<RealtimeStore | null>(null);
  if (typeof window !== 'undefined') openSession(viewer.id).catch(() => undefined);

  useEffect(() => {
    let isTold = false;
    onSessionExpired(() => {
      if (isTold) return;
      isTold = true;
      showToast({ tone: 'bad', title: t('expired') });
      const here = window.location.pathname + window.location.search;
      endSession()
        .catch(() => undefined)
        .finally(() => router.replace(paths.login(here)));
    });
    return () => onSessionExpired(undefined);
  }, [router, t]);

  useSessionChecks();

  useEffect(() => {
    let store: RealtimeStore | undefined;
    let isGone = false;
    const late = new LateAnswers(queries);
    openSession(viewer.id)
      .then(() => {
        if (isGone) return;
        store = new RealtimeStore(viewer.id, {
          onChange: (change) => {
            patchCaches(queries, change, viewer.id);
            late.take(change);
            const isOwn = change.record.collectionName === 'users' && change.record.id === viewer.id;
            if (isOwn) setTimeout(() => void checkSession().then(() => store?.reopen()), RENEWAL_MS);
          },
          // A stream may have been closed because the log-in ended elsewhere; as a guest one would see empty lists.
          onConnect: ({ isFirst }) => {
            const sure = isFirst ? Promise.resolve() : checkSession({ pauseMs: 0 });
            void sure.then(() => askAnew(queries));
          },
        });
        store.start();
        setRealtime(store);
      })
      .catch(() => undefined);
    return () => {
      isGone = true;
      store?.close();
      late.close();
    };
  }, [queries, viewer.id]);

  return (
    <ViewerContext value={viewer}>
      <RealtimeContext value={realtime}>{children}</RealtimeContext>
    </ViewerContext>
  );
}

/** Looks whether the log-in still counts when the page changes and when the tab is looked at again. */
function useSessionChecks(): void {
  const pathname = usePathname();
  const checkedPath = useRef(pathname);
  useEffect(() => {
    // The first page was rendered for the viewer a moment ago.
    if (checkedPath.current === pathname) return;
    checkedPath.current = pathname;
    void checkSession();
  }, [pathname]);
  useEffect(() => {
    const onVisible = () => document.visibilityState === 'visible' && void checkSession();
    document.addEventListener('visibilitychange', onVisible);
    return () => document.removeEventListener('visibilitychange', onVisible);
  }, []);
}

export function useViewer(): Viewer {
  const viewer = use(ViewerContext);
  if (!viewer) throw new Error('useViewer needs a SessionProvider above it.');
  return viewer;
}

const connecting: LinkState = { kind: 'connecting' };
const noSubscription = () => () => undefined;

/** How the realtime connection is, and a way to hold it back. */
export function useRealtime(): { state: LinkState; setPaused: (isPaused: boolean) => void } {
  const store = use(RealtimeContext);
  const state = useSyncExternalStore(store?.subscribe ?? noSubscription, store?.getState ?? (() => connecting), () => connecting);
  return { state, setPaused: (isPaused) => store?.setPaused(isPaused) };
}
