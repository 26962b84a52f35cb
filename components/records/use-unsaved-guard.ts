'use client';

import { useTranslations } from 'next-intl';
import { useEffect } from 'react';

/** Asks before unsaved changes are left behind, by a link inside the console or by closing the page. */
export function useUnsavedGuard(isDirty: boolean): void {
  const t = useTranslations('common.form');
  useEffect(() => {
    if (!isDirty) return;
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
      if (
        !(link instanceof HTMLAnchorElement) ||
        link.target === '_blank' ||
        link.getAttribute('href')?.startsWith('#')
      )
        return;
      if (window.confirm(t('leave'))) return;
      event.preventDefault();
      event.stopPropagation();
    };
    window.addEventListener('beforeunload', onUnload);
    document.addEventListener('click', onClick, true);
    return () => {
      window.removeEventListener('beforeunload', onUnload);
      document.removeEventListener('click', onClick, true);
    };
  }, [isDirty, t]);
}
