'use client';

import clsx from 'clsx';
import { ChevronDown, PanelLeft, Plus, Settings, X } from 'lucide-react';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { setPreferences } from '@/components/data/preferences';
import type { CollectionName, Viewer } from '@/components/data/types';
import { useRecordList } from '@/components/data/records';
import { BrandMark } from '@/components/ui/brand';
import { Button, IconButton } from '@/components/ui/button';
import { Menu, MenuItem } from '@/components/ui/menu';
import { paths } from '@/lib/paths';
import { isOffered, navGroups, navItemOf, type NavItem } from './nav-items';
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
          className="text-lead collapsed:hidden inline-flex items-center gap-[9px] rounded-sm font-semibold tracking-[-0.02em]"
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
                <NavLink key={item.key} item={item} isCurrent={item === current} onPick={onClose} />
              ))}
          </div>
        ))}
      </nav>
      {viewer.isAdmin && <SettingsLink isCurrent={pathname === paths.settings} onPick={onClose} />}
      <ProfileArea viewer={viewer} />
    </>
  );
}

function NavLink({ item, isCurrent, onPick }: { item: NavItem; isCurrent: boolean; onPick: (() => void) | undefined }) {
  const t = useTranslations('layout.nav');
  const Icon = item.icon;
  return (
    <Link
      href={item.href}
      aria-current={isCurrent ? 'page' : undefined}
      title={t(item.key)}
      onClick={onPick}
      className={clsx(
        'rounded-ctl hover:bg-hover hover:text-text collapsed:justify-center collapsed:px-0 flex h-8 items-center gap-2.5 px-2 font-medium max-lg:h-[38px]',
        isCurrent ? 'bg-active text-text' : 'text-text-2',
      )}
    >
      <Icon className={clsx('size-4', isCurrent ? 'text-accent-text' : 'text-text-3')} aria-hidden="true" />
      <span className="collapsed:sr-only">{t(item.key)}</span>
      {item.collection && <NavCount collection={item.collection} isCurrent={isCurrent} />}
    </Link>
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

function NavCount({ collection, isCurrent }: { collection: CollectionName; isCurrent: boolean }) {
  const count = useRecordList(collection, { page: 1, perPage: 1 }).data?.totalItems;
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

function NewButton() {
  const t = useTranslations('layout.new');
  return (
    <div className="collapsed:justify-center flex px-3 pt-1 pb-2.5">
      <Button asChild variant="primary" className="collapsed:hidden flex-1 rounded-r-none max-lg:h-9">
        <Link href={paths.workspaceCreate}>
          <Plus className="size-4" aria-hidden="true" />
          {t('workspace')}
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
        <MenuItem asChild>
          <Link href={paths.workspaceCreate}>{t('workspace')}</Link>
        </MenuItem>
        <MenuItem asChild>
          <Link href={paths.imageCreate}>{t('image')}</Link>
        </MenuItem>
      </Menu>
    </div>
  );
}
