'use client';

import { usePathname, useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useEffect, useRef } from 'react';
import { Dialog } from '@/components/ui/dialog';
import { Kbd } from '@/components/ui/parts';
import { paths } from '@/lib/paths';
import { navItemOf } from './nav-items';

const goKeys: Record<string, string> = { w: paths.workspaces, i: paths.images, h: paths.hosts, u: paths.users };
const helpRows = [
  { keys: ['g', 'w'], key: 'workspaces' },
  { keys: ['g', 'i'], key: 'images' },
  { keys: ['g', 'h'], key: 'hosts' },
  { keys: ['g', 'u'], key: 'users' },
  { keys: ['c'], key: 'create' },
  { keys: ['/'], key: 'search' },
  { keys: ['⌘', 'K'], key: 'palette' },
  { keys: ['x'], key: 'select' },
  { keys: ['⌘', '↵'], key: 'save' },
  { keys: ['?'], key: 'help' },
] as const;

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) &&
    !isCheck(target)
  );
}
function isCheck(target: HTMLElement): boolean {
  return target instanceof HTMLInputElement && /^(checkbox|radio)$/.test(target.type);
}
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
  const router = useRouter();
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
      if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return;
      if (document.querySelector('[role="dialog"], [role="menu"], [role="listbox"]')) return;
      if (act(event.key)) event.preventDefault();
    }
    function act(key: string): boolean {
      const go = Date.now() < goUntil.current ? goKeys[key] : undefined;
      goUntil.current = key === 'g' ? Date.now() + 1200 : 0;
      if (go) router.push(go);
      else if (key === '?') onOverlay('help');
      else if (key === 'c') create();
      else if (key === '/') document.querySelector<HTMLElement>('[data-key-search]')?.focus();
      else if (key === 'x')
        document.activeElement?.closest('tr')?.querySelector<HTMLElement>('[data-key-select]')?.click();
      else return false;
      return true;
    }
    function create() {
      if (clickLast('[data-key-create]')) return;
      router.push(navItemOf(pathname)?.key === 'images' ? paths.imageCreate : paths.workspaceCreate);
    }
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [pathname, router, overlay, onOverlay]);

  return (
    <Dialog
      isOpen={overlay === 'help'}
      onOpenChange={(isOpen) => onOverlay(isOpen ? 'help' : undefined)}
      title={t('title')}
      closeLabel={common('actions.close')}
      footNote={t('apple')}
    >
      <dl className="text-table grid grid-cols-[1fr_auto] gap-y-2">
        {helpRows.map((row) => (
          <div key={row.key} className="contents">
            <dt className="text-text-2">{t(row.key)}</dt>
            <dd className="flex gap-1">
              <span className="sr-only">{row.keys.join(' ')}</span>
              {row.keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
