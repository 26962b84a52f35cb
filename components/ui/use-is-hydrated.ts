'use client';

import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/** False in the server's markup and in the render that takes it over: what is clicked until then is heard by nobody. */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
