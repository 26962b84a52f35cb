'use client';

import { useLayoutEffect } from 'react';

/** Sets theme and sidebar again where React had to draw the whole document anew, as it does for a page that is not found. */
export function PreferencesKeeper() {
  useLayoutEffect(() => {
    const chosen = localStorage.getItem('berth-theme');
    const isDark = chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    document.body.classList.toggle('dark', isDark);
    if (localStorage.getItem('berth-userPreferences')?.includes('"sidebarCollapsed":true')) {
      document.documentElement.dataset.sidebar = 'collapsed';
    }
  }, []);
  return null;
}
