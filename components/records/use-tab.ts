'use client';

import { usePathname, useSearchParams } from 'next/navigation';

/** The tab that the address names, the first one where it names none. */
export function useTab<Tab extends string>(tabs: readonly Tab[]): [Tab, (tab: string) => void] {
  const params = useSearchParams();
  const pathname = usePathname();
  const first = tabs[0] as Tab;
  const tab = tabs.find((each) => each === params.get('tab')) ?? first;
  return [tab, (next) => window.history.pushState(null, '', next === first ? pathname : `${pathname}?tab=${next}`)];
}
