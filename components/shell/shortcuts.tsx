'use client';

import { usePathname } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useEffect, useRef } from 'react';
import { useLeaving } from '@/components/data/leaving';
import { useViewer } from '@/components/data/session-provider';
import { Dialog } from '@/components/ui/dialog';
import { isPageKey } from '@/components/ui/keys';
import { useModKey } from '@/components/ui/mod-kbd';
import { Kbd } from '@/components/ui/parts';
import { paths } from '@/lib/paths';
import { isOffered, navItemOf, navItems, type NavItem } from './nav-items';

type HelpKey = Exclude<NavItem['key'], 'reference'> | 'settings';

/** Where `g` and the first letter lead. */
function goItems(viewer: { isAdmin: boolean }): { key: string; name: HelpKey; href: string }[] {
  const areas = navItems.flatMap((item) =>
    item.key === 'reference' || !isOffered(item, viewer) ? [] : [{ name: item.key, href: item.href }],
  );
  const all = viewer.isAdmin ? [...areas, { name: 'settings' as const, href: paths.settings }] : areas;
  return all.map((item) => ({ ...item, key: item.name.charAt(0) }));
}

const MOD = 'mod';
const helpRows = [
  { keys: ['c'], key: 'create' },
  { keys: ['/'], key: 'search' },
  { keys: [MOD, 'K'], key: 'palette' },
  { keys: ['j', 'k'], key: 'rows' },
  { keys: ['↵'], key: 'open' },
  { keys: ['x'], key: 'select' },
  { keys: ['b'], key: 'batch' },
  { keys: [MOD, '↵'], key: 'save' },
  { keys: ['?'], key: 'help' },
] as const;

function clickLast(selector: string): boolean {
  // Forms of other tabs stay in the page, unseen.
  const found = [...document.querySelectorAll<HTMLElement>(selector)].filter((each) => each.checkVisibility()).at(-1);
  found?.click();
  return found !== undefined;
}

export type Overlay = 'palette' | 'help' | undefined;

interface ShortcutsProps {
  overlay: Overlay;
  onOverlay: (overlay: Overlay) => void;
}

/** The keys of the whole console, and the dialog that lists them. */
export function Shortcuts({ overlay, onOverlay }: ShortcutsProps) {
  const t = useTranslations('layout.keys');
  const common = useTranslations('common');
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

  return (
    <Dialog
      isOpen={overlay === 'help'}
      onOpenChange={(isOpen) => onOverlay(isOpen ? 'help' : undefined)}
      title={t('title')}
      closeLabel={common('actions.close')}
    >
      <dl className="text-table grid grid-cols-[1fr_auto] gap-y-2">
        {goItems(viewer).map((item) => (
          <KeyRow key={item.name} text={t(item.name)} keys={['g', item.key]} />
        ))}
        {helpRows.map((row) => (
          <KeyRow key={row.key} text={t(row.key)} keys={row.keys} />
        ))}
      </dl>
    </Dialog>
  );
}

function KeyRow({ text, keys }: { text: string; keys: readonly string[] }) {
  const mod = useModKey();
  const shown = keys.map((key) => (key === MOD ? mod : key));
  return (
    <div className="contents">
      <dt className="text-text-2">{text}</dt>
      <dd className="flex gap-1">
        <span className="sr-only">{shown.join(' ')}</span>
        {shown.map((key) => (
          <Kbd key={key}>{key}</Kbd>
        ))}
      </dd>
    </div>
  );
}
