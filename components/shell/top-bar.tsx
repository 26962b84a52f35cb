'use client';

import { House, Menu as MenuIcon, Search } from 'lucide-react';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { Fragment } from 'react';
import { usePageNameValue } from '@/components/data/page-name';
import { IconButton } from '@/components/ui/button';
import { Kbd } from '@/components/ui/parts';
import { paths } from '@/lib/paths';
import { navItemOf } from './nav-items';
import { Notifications } from './notifications/notifications';
import { RealtimeLight } from './realtime-light';
import { ThemeToggle } from './theme-toggle';

interface TopBarProps {
  isDrawerOpen: boolean;
  onOpenDrawer: () => void;
  onOpenPalette: () => void;
}

export function TopBar({ isDrawerOpen, onOpenDrawer, onOpenPalette }: TopBarProps) {
  const t = useTranslations('layout');
  return (
    <header className="border-line flex h-12 shrink-0 items-center gap-2 border-b pr-4 pl-6 max-lg:gap-1 max-lg:pr-2 max-lg:pl-4">
      <IconButton
        label={t('openMenu')}
        aria-expanded={isDrawerOpen}
        aria-controls={isDrawerOpen ? 'drawer' : undefined}
        onClick={onOpenDrawer}
        className="-ml-2 lg:hidden"
      >
        <MenuIcon className="size-4" />
      </IconButton>
      <Breadcrumbs />
      <div className="ml-auto flex items-center gap-1">
        <SearchBox onOpen={onOpenPalette} />
        <RealtimeLight />
        <Notifications />
        <ThemeToggle />
      </div>
    </header>
  );
}

/** Looks like a field and opens the palette; a mere icon on small screens. */
function SearchBox({ onOpen }: { onOpen: () => void }) {
  const t = useTranslations('layout.search');
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-keyshortcuts="Meta+K Control+K"
      title={t('label')}
      onClick={onOpen}
      className="border-line-strong bg-surface text-table text-text-3 hover:bg-hover mr-1.5 flex h-8 w-64 items-center gap-2 rounded-md border px-2.5 max-lg:mr-0 max-lg:size-9 max-lg:justify-center max-lg:border-transparent max-lg:p-0"
    >
      <Search className="max-lg:text-text-2 size-4" aria-hidden="true" />
      <span className="flex-1 truncate text-left max-lg:sr-only">{t('label')}</span>
      <Kbd>⌘K</Kbd>
    </button>
  );
}

interface Crumb {
  label: string;
  href?: string;
}

function Breadcrumbs() {
  const t = useTranslations('layout');
  const crumbs = useCrumbs();
  return (
    <nav aria-label={t('crumbs.label')} className="min-w-0">
      <ol className="text-table text-text-3 flex items-center gap-1.5">
        <li className="max-lg:hidden">
          <Link
            href={paths.home}
            aria-label={t('crumbs.home')}
            title={t('crumbs.home')}
            className="text-text-2 hover:bg-hover -m-1 block rounded-sm p-1"
          >
            <House className="size-3.5" aria-hidden="true" />
          </Link>
        </li>
        {crumbs.map((crumb, index) => {
          const isLast = index === crumbs.length - 1;
          return (
            <Fragment key={crumb.label + index}>
              <li aria-hidden="true" className="text-line-control px-[3px] max-lg:hidden">
                /
              </li>
              <li className={isLast ? 'min-w-0 truncate' : 'max-lg:hidden'}>
                {crumb.href && !isLast ? (
                  <Link
                    href={crumb.href}
                    className="text-text-2 hover:bg-hover -mx-1 rounded-sm px-1 py-0.5 whitespace-nowrap"
                  >
                    {crumb.label}
                  </Link>
                ) : (
                  <span aria-current={isLast ? 'page' : undefined} className="text-text font-medium">
                    {crumb.label}
                  </span>
                )}
              </li>
            </Fragment>
          );
        })}
      </ol>
    </nav>
  );
}

function useCrumbs(): Crumb[] {
  const t = useTranslations('layout');
  const pathname = usePathname();
  const name = usePageNameValue();
  const item = navItemOf(pathname);
  if (pathname === paths.apiReference) return [{ label: t('nav.reference') }];
  if (pathname === paths.settings) return [{ label: t('nav.settings') }];
  if (pathname === paths.profile) return [{ label: t('profile') }];
  if (!item) return [{ label: t('crumbs.notFound') }];
  const crumbs: Crumb[] = [{ label: t(`nav.${item.key}`), href: item.href }];
  if (item.key !== 'audit' && pathname === `${item.href}/create`) crumbs.push({ label: t(`create.${item.key}`) });
  if (pathname.startsWith(item.recordPrefix)) {
    const id = pathname.slice(item.recordPrefix.length).split('/')[0] ?? '';
    crumbs.push({ label: name || '…', href: `${item.recordPrefix}${id}` });
    if (pathname.endsWith('/logs')) crumbs.push({ label: t('crumbs.logs') });
  }
  return crumbs;
}
