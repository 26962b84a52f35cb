'use client';

import { useSyncExternalStore } from 'react';

const KEY = 'berth-userPreferences';

/** What a person chose in this browser. */
export interface Preferences {
  sidebarCollapsed: boolean;
  /** The first-use checklist was put away, or all of it is done. */
  isFirstUseOver: boolean;
  hasOpenedWorkspace: boolean;
  /** Up to when notifications were read, in milliseconds. */
  notificationsReadMs: number;
  terminalFontSize: number;
  terminalCopiesSelection: boolean;
  /** For screen readers: the terminal's lines as text of the page. */
  terminalIsRead: boolean;
}

const unset: Preferences = {
  sidebarCollapsed: false,
  isFirstUseOver: false,
  hasOpenedWorkspace: false,
  notificationsReadMs: 0,
  terminalFontSize: 13,
  terminalCopiesSelection: true,
  terminalIsRead: false,
};
const listeners = new Set<() => void>();
let known: { text: string | null; value: Preferences } = { text: null, value: unset };

function read(): Preferences {
  const text = localStorage.getItem(KEY);
  if (text !== known.text) known = { text, value: parsePreferences(text) };
  return known.value;
}

/** Bad values fall back, one by one. Without zod, which would come along with every page. */
export function parsePreferences(text: string | null): Preferences {
  const stored: unknown = parse(text);
  if (typeof stored !== 'object' || stored === null) return unset;
  const kept = Object.entries(stored).filter(
    ([key, value]) => key in unset && typeof value === typeof unset[key as keyof Preferences],
  );
  return { ...unset, ...Object.fromEntries(kept) };
}

function parse(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '{}');
  } catch {
    return {};
  }
}

export function setPreferences(patch: Partial<Preferences>): void {
  localStorage.setItem(KEY, JSON.stringify({ ...read(), ...patch }));
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

/** The preferences of this browser; undefined while the server's markup is taken over, which knows none. */
export function usePreferences(): Preferences | undefined {
  return useSyncExternalStore(subscribe, read, () => undefined);
}
