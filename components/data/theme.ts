'use client';

import { useSyncExternalStore } from 'react';

const KEY = 'berth-theme';
const THEMES = ['light', 'dark', 'system'] as const;
/** `system` follows the system, which is what happens until something is chosen. */
export type Theme = (typeof THEMES)[number];

const listeners = new Set<() => void>();

function read(): Theme {
  const chosen = localStorage.getItem(KEY);
  return THEMES.find((theme) => theme === chosen) ?? 'system';
}

/** Takes a theme, for this browser from now on. */
export function setTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, theme);
  const isDark = theme === 'system' ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark';
  document.body.classList.toggle('dark', isDark);
  for (const listener of listeners) listener();
}

/** Switches between light and dark, for this browser from now on. */
export function toggleTheme(): void {
  setTheme(document.body.classList.contains('dark') ? 'light' : 'dark');
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

/** The theme that this browser chose; undefined while the server's markup is taken over, which knows none. */
export function useTheme(): Theme | undefined {
  return useSyncExternalStore(subscribe, read, () => undefined);
}
