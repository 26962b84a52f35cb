'use client';

import { usePathname, useSearchParams } from 'next/navigation';

/** The tab that the address names, the first one where it names none; what else it says goes, but for what is kept. */
export function useTab<Tab extends string>(
  tabs: readonly Tab[],
  kept: readonly string[] = [],
): [Tab, (tab: string) => void] {
  const params = useSearchParams();
  const pathname = usePathname();
  const first = tabs[0] as Tab;
  const tab = tabs.find((each) => each === params.get('tab')) ?? first;

  function go(next: string) {
    const query = new URLSearchParams(kept.flatMap((key) => (params.has(key) ? [[key, params.get(key) ?? '']] : [])));
    if (next !== first) query.set('tab', next);
    const address = query.size > 0 ? `${pathname}?${query.toString()}` : pathname;
    // A tab tells of a click twice, by the press and by the focus; the way back is to take one step.
    if (address !== window.location.pathname + window.location.search) window.history.pushState(null, '', address);
  }
  return [tab, go];
}
