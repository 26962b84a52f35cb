'use client';

import { ChevronLeft, House, Menu as MenuIcon, Search } from 'lucide-react';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { Fragment } from 'react';
import { usePageNameValue, type PageList } from '@/components/data/page-name';
import { IconButton } from '@/components/ui/button';
import { ModKbd } from '@/components/ui/mod-kbd';
import { paths } from '@/lib/paths';
import { navItemOf, navItems, navSubItemOf, type NavItem, type NavSubItem } from './nav-items';
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
      <ModKbd letter="K" />
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
          const isParent = index === crumbs.length - 2;
          return (
            <Fragment key={crumb.label + index}>
              <li aria-hidden="true" className="text-line-control px-[3px] max-lg:hidden">
                /
              </li>
              {/* Small screens have room for one: the way up, or the name of an area. */}
              <li className={isParent || crumbs.length === 1 ? 'min-w-0 truncate' : 'min-w-0 truncate max-lg:hidden'}>
                {crumb.href && !isLast ? (
                  <Link
                    href={crumb.href}
                    className="text-text-2 hover:bg-hover -mx-1 rounded-sm px-1 py-0.5 whitespace-nowrap max-lg:inline-flex max-lg:h-9 max-lg:items-center max-lg:gap-0.5"
                  >
                    <ChevronLeft className="size-4 lg:hidden" aria-hidden="true" />
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
  const { name, list } = usePageNameValue();
  const item = navItemOf(pathname);
  if (pathname === paths.settings) return [{ label: t('nav.settings') }];
  if (pathname === paths.profile) return [{ label: t('profile') }];
  if (!item) return [{ label: t('crumbs.notFound') }];
  const { area, sub } = placeOf(item, pathname, list);
  const crumbs: Crumb[] = [
    { label: t(`nav.${area.key}`), href: area.href },
    ...(sub ? [{ label: t(`nav.${sub.key}`), href: sub.href }] : []),
  ];
  if (item.key !== 'audit' && item.key !== 'reference' && pathname === `${(sub ?? item).href}/create`)
    crumbs.push({ label: t(`create.${item.key}`) });
  if (pathname === paths.workspacesLogs([]).split('?')[0]) crumbs.push({ label: t('crumbs.logs') });
  if (pathname.startsWith(item.recordPrefix)) {
    const id = pathname.slice(item.recordPrefix.length).split('/')[0] ?? '';
    crumbs.push({ label: name || '…', href: `${item.recordPrefix}${id}` });
    const last = (['logs', 'exec', 'attach', 'files'] as const).find((page) => pathname.endsWith(`/${page}`));
    if (last) crumbs.push({ label: t(`crumbs.${last}`) });
  }
  return crumbs;
}

/** The area of a page and what of it; the page of a template lies in the list of its kind, whatever its address. */
function placeOf(item: NavItem, pathname: string, list: PageList): { area: NavItem; sub: NavSubItem | undefined } {
  const templates = list === 'templates' ? navItems.find(({ key }) => key === 'templates') : undefined;
  if (!templates) return { area: item, sub: navSubItemOf(item, pathname) };
  return { area: templates, sub: templates.subItems?.find(({ counts }) => counts.collection === item.key) };
}
