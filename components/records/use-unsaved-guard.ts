'use client';

import { useEffect } from 'react';
import { useLeaving } from '@/components/data/leaving';

/** Asks before unsaved changes are left behind, by a way inside the console or by closing the page. */
export function useUnsavedGuard(isDirty: boolean): void {
  const { hold } = useLeaving();
  useEffect(() => {
    if (!isDirty) return;
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', onUnload);
    const release = hold();
    return () => {
      release();
      window.removeEventListener('beforeunload', onUnload);
    };
  }, [isDirty, hold]);
}
