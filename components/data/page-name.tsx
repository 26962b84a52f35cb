'use client';

import { createContext, use, useEffect, useState, type ReactNode } from 'react';

interface PageName {
  name: string;
  setName: (name: string) => void;
}

const PageNameContext = createContext<PageName>({ name: '', setName: () => undefined });

/** Carries the name of the record in sight up to the breadcrumbs. */
export function PageNameProvider({ children }: { children: ReactNode }) {
  const [name, setName] = useState('');
  return <PageNameContext value={{ name, setName }}>{children}</PageNameContext>;
}

export function usePageNameValue(): string {
  return use(PageNameContext).name;
}

/** Names the page after its record, in the breadcrumbs and in the browser's title. */
export function usePageName(name: string | undefined): void {
  const { setName } = use(PageNameContext);
  useEffect(() => {
    if (!name) return;
    setName(name);
    document.title = `${name} · Berth`;
    return () => setName('');
  }, [name, setName]);
}
