'use client';

import { useSyncExternalStore } from 'react';
import { Kbd } from './parts';

const never = () => () => undefined;
const isApple = () => /Mac|iP(?:hone|ad|od)/.test(navigator.platform);

/** What the key for commands is called on the viewer's keyboard. */
export function useModKey(): '⌘' | 'Ctrl' {
  return useSyncExternalStore(never, isApple, () => false) ? '⌘' : 'Ctrl';
}

/** A key that is pressed together with the one for commands. */
export function ModKbd({ letter, isOnAccent = false }: { letter: string; isOnAccent?: boolean }) {
  const mod = useModKey();
  return <Kbd isOnAccent={isOnAccent}>{mod === '⌘' ? `⌘${letter}` : `Ctrl ${letter}`}</Kbd>;
}
