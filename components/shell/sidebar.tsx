'use client';

import clsx from 'clsx';
import { ChevronDown, PanelLeft, Plus, Settings, X } from 'lucide-react';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { Fragment } from 'react';
import { setPreferences } from '@/components/data/preferences';
import type { Viewer } from '@/components/data/types';
import { useRecordCount } from '@/components/data/records';
import { useMayCreate, useMayStart } from '@/components/records/use-may-create';
import { BrandMark } from '@/components/ui/brand';
import { Button, IconButton } from '@/components/ui/button';
import { Menu, MenuItem } from '@/components/ui/menu';
import { paths } from '@/lib/paths';
import { isOffered, navGroups, navItemOf, navSubItemOf, type NavItem } from './nav-items';
import { ProfileArea } from './profile-area';

/** The sidebar's content; `onClose` is given in the drawer. */
export function SidebarBody({ viewer, onClose }: { viewer: Viewer; onClose?: () => void }) {
  const t = useTranslations('layout');
  const pathname = usePathname();
  const current = navItemOf(pathname);
  return (
    <>
      <div className="collapsed:justify-center collapsed:px-0 flex h-12 shrink-0 items-center justify-between pr-2.5 pl-[18px]">
        <Link
          href={paths.home}
          className="text-lead collapsed:hidden inline-flex items-center gap-[9px] rounded-sm font-semibold tracking-[-0.02em] max-lg:h-9"
        >
          <BrandMark />
          {t('product')}
        </Link>
        {onClose ? (
          <IconButton label={t('closeMenu')} onClick={onClose}>
            <X className="size-4" />
          </IconButton>
        ) : (
          <CollapseToggle />
        )}
      </div>
      <NewButton />
      <nav aria-label={t('nav.label')} className="min-h-0 flex-1 overflow-auto px-3 pb-3">
        {navGroups.map((group) => (
          <div key={group.key} role="group" aria-label={t(`nav.${group.key}`)}>
            <div
              aria-hidden="true"
              className="text-small text-text-3 collapsed:mx-2 collapsed:my-2 collapsed:h-px collapsed:overflow-hidden collapsed:bg-line collapsed:p-0 px-2 pt-3 pb-1 font-medium"
            >
              {t(`nav.${group.key}`)}
            </div>
            {group.items
              .filter((item) => isOffered(item, viewer))
              .map((item) => (
                <Fragment key={item.key}>
                  <NavLink
                    item={item}
                    isCurrent={item === current}
                    isPage={item === current && !navSubItemOf(item, pathname)}
                    onPick={onClose}
                  />
                  {item.subItems && <SubItems item={item} pathname={pathname} onPick={onClose} />}
                </Fragment>
              ))}
          </div>
        ))}
      </nav>
      {viewer.isAdmin && <SettingsLink isCurrent={pathname === paths.settings} onPick={onClose} />}
      <ProfileArea viewer={viewer} />
    </>
  );
}

interface NavLinkProps {
  item: NavItem;
  /** The page lies in it. */
  isCurrent: boolean;
  /** It is none of its sub-items. */
  isPage: boolean;
  onPick: (() => void) | undefined;
}

function NavLink({ item, isCurrent, isPage, onPick }: NavLinkProps) {
  const t = useTranslations('layout.nav');
  const Icon = item.icon;
  return (
    <Link
      href={item.href}
      aria-current={isPage ? 'page' : undefined}
      title={t(item.key)}
      onClick={onPick}
      className={clsx(
        'rounded-ctl hover:bg-hover hover:text-text collapsed:justify-center collapsed:px-0 flex h-8 items-center gap-2.5 px-2 font-medium max-lg:h-[38px]',
        isCurrent ? 'bg-active text-text' : 'text-text-2',
      )}
    >
      <Icon className={clsx('size-4', isCurrent ? 'text-accent-text' : 'text-text-3')} aria-hidden="true" />
      <span className="collapsed:sr-only">{t(item.key)}</span>
      {item.counts && <NavCount {...item.counts} isCurrent={isCurrent} />}
    </Link>
  );
}

/** They lie open below their area; a collapsed sidebar has no room for them. */
function SubItems({ item, pathname, onPick }: { item: NavItem; pathname: string; onPick: (() => void) | undefined }) {
  const t = useTranslations('layout.nav');
  return (
    <div role="group" aria-label={t(item.key)} className="border-line collapsed:hidden ml-4 border-l pl-[15px]">
      {item.subItems?.map(({ key, href, counts }) => {
        const isCurrent = pathname.startsWith(href);
        return (
          <Link
            key={key}
            href={href}
            aria-current={isCurrent ? 'page' : undefined}
            onClick={onPick}
            className={clsx(
              'rounded-ctl hover:bg-hover hover:text-text text-table flex h-7 items-center gap-2.5 px-2 max-lg:h-[38px]',
              isCurrent ? 'text-text font-medium' : 'text-text-2',
            )}
          >
            {t(key)}
            <NavCount {...counts} isCurrent={isCurrent} />
          </Link>
        );
      })}
    </div>
  );
}

function SettingsLink({ isCurrent, onPick }: { isCurrent: boolean; onPick: (() => void) | undefined }) {
  const t = useTranslations('layout.nav');
  return (
    <div className="border-line shrink-0 border-t px-3 pt-2 pb-1">
      <Link
        href={paths.settings}
        aria-current={isCurrent ? 'page' : undefined}
        title={t('settings')}
        onClick={onPick}
        className={clsx(
          'rounded-ctl hover:bg-hover hover:text-text collapsed:justify-center collapsed:px-0 flex h-8 items-center gap-2.5 px-2 font-medium max-lg:h-[38px]',
          isCurrent ? 'bg-active text-text' : 'text-text-2',
        )}
      >
        <Settings className={clsx('size-4', isCurrent ? 'text-accent-text' : 'text-text-3')} aria-hidden="true" />
        <span className="collapsed:sr-only">{t('settings')}</span>
      </Link>
    </div>
  );
}

function NavCount({ collection, filter, isCurrent }: NonNullable<NavItem['counts']> & { isCurrent: boolean }) {
  const count = useRecordCount(collection, filter);
  if (!count) return null;
  return (
    <span
      className={clsx(
        'collapsed:hidden text-small ml-auto font-normal tabular-nums',
        isCurrent ? 'text-text-2' : 'text-text-3',
      )}
    >
      {count}
    </span>
  );
}

function CollapseToggle() {
  const t = useTranslations('layout');
  function toggle() {
    const { dataset } = document.documentElement;
    const isCollapsed = dataset.sidebar !== 'collapsed';
    if (isCollapsed) dataset.sidebar = 'collapsed';
    else delete dataset.sidebar;
    setPreferences({ sidebarCollapsed: isCollapsed });
  }
  return (
    <IconButton label={t('collapse')} onClick={toggle}>
      <PanelLeft className="size-4" />
    </IconButton>
  );
}

/** What the viewer can make: a workspace needs an image first. Undefined while that is not known. */
function useOffers(): { key: 'workspace' | 'image'; href: string }[] | undefined {
  const mayStart = useMayStart();
  const mayMakeImages = useMayCreate('canCreateImages');
  if (mayStart === undefined || mayMakeImages === undefined) return undefined;
  return [
    ...(mayStart ? [{ key: 'workspace' as const, href: paths.workspaceCreate }] : []),
    ...(mayMakeImages ? [{ key: 'image' as const, href: paths.imageCreate }] : []),
  ];
}

function NewButton() {
  const t = useTranslations('layout.new');
  const offers = useOffers();
  // The place is kept meanwhile, so that nothing below it jumps.
  const [first] = offers ?? [{ key: 'workspace' as const, href: paths.workspaceCreate }];
  if (!first) return null;
  return (
    <div className={clsx('collapsed:justify-center flex px-3 pt-1 pb-2.5', !offers && 'invisible')}>
      <Button asChild variant="primary" className="collapsed:hidden flex-1 rounded-r-none max-lg:h-9">
        <Link href={first.href}>
          <Plus className="size-4" aria-hidden="true" />
          {t(first.key)}
        </Link>
      </Button>
      <Menu
        trigger={
          <IconButton
            variant="primary"
            label={t('more')}
            className="border-l-on-accent/28! collapsed:rounded-md -ml-px w-[34px] rounded-l-none"
          >
            <ChevronDown className="collapsed:hidden size-4" />
            <Plus className="collapsed:block hidden size-4" />
          </IconButton>
        }
      >
        {(offers ?? []).map(({ key, href }) => (
          <MenuItem key={key} asChild>
            <Link href={href}>{t(key)}</Link>
          </MenuItem>
        ))}
      </Menu>
    </div>
  );
}
