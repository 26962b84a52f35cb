'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { endSession } from '@/components/data/client';
import { useTell } from '@/components/data/use-tell';
import { paths } from '@/lib/paths';

/** Ends the session and leaves for the log-in page; tells when that failed. */
export function useSignOut(): { isLeaving: boolean; signOut: () => Promise<void> } {
  const t = useTranslations('layout');
  const tell = useTell();
  const [isLeaving, setLeaving] = useState(false);

  async function signOut() {
    setLeaving(true);
    try {
      await endSession();
      window.location.assign(paths.login());
    } catch (error) {
      setLeaving(false);
      tell.failed(t('signOutFailed'), error);
    }
  }
  return { isLeaving, signOut };
}
