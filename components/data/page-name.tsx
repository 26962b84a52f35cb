'use client';

import { createContext, use, useEffect, useState, type ReactNode } from 'react';
import { keepTitle } from './page-title';

/** The list that a record belongs to, where its address doesn't tell. */
export type PageList = 'templates' | undefined;

interface PageName {
  name: string;
  list: PageList;
  setPage: (page: { name: string; list: PageList }) => void;
}

const UNNAMED = { name: '', list: undefined };
const PageNameContext = createContext<PageName>({ ...UNNAMED, setPage: () => undefined });

/** Carries the name of the record in sight up to the breadcrumbs. */
export function PageNameProvider({ children }: { children: ReactNode }) {
  const [page, setPage] = useState<{ name: string; list: PageList }>(UNNAMED);
  return <PageNameContext value={{ ...page, setPage }}>{children}</PageNameContext>;
}

export function usePageNameValue(): { name: string; list: PageList } {
  return use(PageNameContext);
}

/** Names the page after its record, in the breadcrumbs and in the browser's title. */
export function usePageName(name: string | undefined, list?: PageList): void {
  const { setPage } = use(PageNameContext);
  useEffect(() => {
    if (!name) return;
    setPage({ name, list });
    const endTitle = keepTitle(`${name} · Berth`);
    return () => {
      endTitle();
      setPage(UNNAMED);
    };
  }, [name, list, setPage]);
}
