'use client';

import { useSyncExternalStore } from 'react';
import { z } from 'zod';

const KEY = 'berth-userPreferences';

/** What a person chose in this browser. Bad values fall back, one by one. */
const preferencesSchema = z.object({
  sidebarCollapsed: z.boolean().catch(false),
  /** The first-use checklist was put away, or all of it is done. */
  isFirstUseOver: z.boolean().catch(false),
  hasOpenedWorkspace: z.boolean().catch(false),
  /** Up to when notifications were read, in milliseconds. */
  notificationsReadMs: z.number().catch(0),
});
export type Preferences = z.infer<typeof preferencesSchema>;

const unset = preferencesSchema.parse({});
const listeners = new Set<() => void>();
let known: { text: string | null; value: Preferences } = { text: null, value: unset };

function read(): Preferences {
  const text = localStorage.getItem(KEY);
  if (text !== known.text) known = { text, value: preferencesSchema.catch(unset).parse(parse(text)) };
  return known.value;
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
