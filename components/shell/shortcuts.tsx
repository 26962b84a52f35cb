'use client';

import dynamic from 'next/dynamic';
import { usePathname } from 'next/navigation';
import { useEffect, useRef } from 'react';
import { useLeaving } from '@/components/data/leaving';
import { useViewer } from '@/components/data/session-provider';
import { isPageKey } from '@/components/ui/keys';
import { paths } from '@/lib/paths';
import { isOffered, navItemOf, navItems, type NavItem } from './nav-items';

type HelpKey = Exclude<NavItem['key'], 'reference'> | 'settings';

/** A page that `g` and its key lead to. */
export interface GoItem {
  key: string;
  name: HelpKey;
  href: string;
}

/** Where `g` and the first letter lead. */
function goItems(viewer: { isAdmin: boolean }): GoItem[] {
  const areas = navItems.flatMap((item) =>
    item.key === 'reference' || !isOffered(item, viewer) ? [] : [{ name: item.key, href: item.href }],
  );
  const all = viewer.isAdmin ? [...areas, { name: 'settings' as const, href: paths.settings }] : areas;
  return all.map((item) => ({ ...item, key: item.name.charAt(0) }));
}

function clickLast(selector: string): boolean {
  // Forms of other tabs stay in the page, unseen.
  const found = [...document.querySelectorAll<HTMLElement>(selector)].filter((each) => each.checkVisibility()).at(-1);
  found?.click();
  return found !== undefined;
}

const KeyHelp = dynamic(() => import('./key-help').then((module) => module.KeyHelp));

export type Overlay = 'palette' | 'help' | undefined;

interface ShortcutsProps {
  overlay: Overlay;
  onOverlay: (overlay: Overlay) => void;
}

/** The keys of the whole console, and the dialog that lists them. */
export function Shortcuts({ overlay, onOverlay }: ShortcutsProps) {
  const { go } = useLeaving();
  const viewer = useViewer();
  const pathname = usePathname();
  const goUntil = useRef(0);

  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) {
        if (clickLast('[data-key-save]:not(:disabled)')) event.preventDefault();
        return;
      }
      if (event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey) && !event.altKey && !event.shiftKey) {
        if (overlay !== 'palette' && document.querySelector('[role="dialog"]')) return;
        event.preventDefault();
        onOverlay(overlay === 'palette' ? undefined : 'palette');
        return;
      }
      if (isPageKey(event) && act(event.key)) event.preventDefault();
    }
    function act(key: string): boolean {
      const item = Date.now() < goUntil.current ? goItems(viewer).find((each) => each.key === key) : undefined;
      goUntil.current = key === 'g' ? Date.now() + 1200 : 0;
      if (item) go(item.href);
      else if (key === '?') onOverlay('help');
      else if (key === 'c') create();
      else if (key === '/') document.querySelector<HTMLElement>('[data-key-search]')?.focus();
      else return false;
      return true;
    }
    function create() {
      if (clickLast('[data-key-create]')) return;
      go(navItemOf(pathname)?.key === 'images' ? paths.imageCreate : paths.workspaceCreate);
    }
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [pathname, go, viewer, overlay, onOverlay]);

  return overlay === 'help' && <KeyHelp goItems={goItems(viewer)} onClose={() => onOverlay(undefined)} />;
}
