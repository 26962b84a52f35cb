'use client';

import { useTranslations } from 'next-intl';
import { useEffect, useSyncExternalStore } from 'react';
import { SignedOutCard } from './signed-out-card';

const CLOSE_AFTER_MS = 1500;
const onHash = (listener: () => void) => {
  window.addEventListener('hashchange', listener);
  return () => window.removeEventListener('hashchange', listener);
};

type Ending = 'success' | 'failure' | 'unknown';

function endingOf(hash: string): Ending {
  const ending = /^#\/auth\/oauth2-redirect-(success|failure)$/.exec(hash)?.[1];
  return ending === 'success' || ending === 'failure' ? ending : 'unknown';
}

/** Says how a log-in in a window of its own ended, and closes that window where it may. */
export function PopupEnd() {
  const t = useTranslations('pages.provider.popup');
  const ending = useSyncExternalStore(
    onHash,
    () => endingOf(window.location.hash),
    () => undefined,
  );
  useEffect(() => {
    if (ending !== 'success') return;
    const timer = setTimeout(() => window.close(), CLOSE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [ending]);
  if (!ending) return null;
  return <SignedOutCard isNews title={t(`title.${ending}`)} text={t(`text.${ending}`)} />;
}
