'use client';

import { useTranslations } from 'next-intl';
import { useSyncExternalStore } from 'react';
import { isToldElsewhere, messageOf } from '@/components/data/problems';
import { findPasskeyTrouble, PasskeyError, type PasskeyTrouble } from './passkey-ceremony';

const noSubscription = () => () => undefined;

/** Why passkeys can't be used here: undefined where they can, null before the browser was asked. */
export function usePasskeyTrouble(): ReturnType<typeof findPasskeyTrouble> | null {
  return useSyncExternalStore(noSubscription, findPasskeyTrouble, () => null);
}

/** What went wrong with a passkey, in words; undefined for what is told elsewhere. */
export function usePasskeyWords() {
  const t = useTranslations('pages.factor.passkey.problems');
  const ofTrouble = (trouble: PasskeyTrouble, host = '') => t(trouble, { host });
  return {
    ofTrouble,
    ofError(error: unknown): string | undefined {
      if (error instanceof PasskeyError) return ofTrouble(error.trouble, error.host);
      if (isToldElsewhere(error)) return undefined;
      return messageOf(error) ?? ofTrouble('failed');
    },
  };
}
