'use client';

import { usePathname, useSearchParams } from 'next/navigation';
import { useEffect } from 'react';
import { correctAddress, parseListState, type ListWords } from './list-address';

type Patch = Record<string, string | number | undefined>;

/** The list's state, and a way to change it: the address changes, nothing is asked of the server for that. */
export function useListState(words: ListWords) {
  const params = useSearchParams();
  const pathname = usePathname();
  const state = parseListState(new URLSearchParams(params), words);
  const right = correctAddress(new URLSearchParams(params), state).toString();

  useEffect(() => {
    if (right !== params.toString()) setAddress(pathname, right, { isCorrection: true });
  }, [params, pathname, right]);

  function change(patch: Patch, options: { isCorrection?: boolean } = {}) {
    const next = new URLSearchParams(window.location.search);
    if (!('page' in patch)) next.delete('page');
    for (const [key, value] of Object.entries(patch)) {
      if (value === undefined || value === '' || value === 0) next.delete(key);
      else next.set(key, String(value));
    }
    setAddress(pathname, next.toString(), options);
  }

  return { state, change };
}

/** A correction replaces the address, so that the way back does not lead through what was corrected. */
function setAddress(pathname: string, query: string, { isCorrection = false }): void {
  const address = query ? `${pathname}?${query}` : pathname;
  if (isCorrection) window.history.replaceState(null, '', address);
  else window.history.pushState(null, '', address);
}
