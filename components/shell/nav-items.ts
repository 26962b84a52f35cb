import { AppWindow, Layers, ScrollText, Server, Users, type LucideIcon } from 'lucide-react';
import type { CollectionName } from '@/components/data/types';
import { paths } from '@/lib/paths';

export interface NavItem {
  key: 'workspaces' | 'images' | 'hosts' | 'users' | 'audit';
  href: string;
  /** Address of one of its records starts so. */
  recordPrefix: string;
  icon: LucideIcon;
  /** Whose records are counted beside it. */
  collection?: CollectionName;
  isForAdmins?: boolean;
}

export const navGroups: { key: 'run' | 'infrastructure' | 'organisation'; items: NavItem[] }[] = [
  {
    key: 'run',
    items: [
      {
        key: 'workspaces',
        href: paths.workspaces,
        recordPrefix: '/workspace/',
        icon: AppWindow,
        collection: 'workspaces',
      },
      { key: 'images', href: paths.images, recordPrefix: '/image/', icon: Layers, collection: 'images' },
    ],
  },
  {
    key: 'infrastructure',
    items: [{ key: 'hosts', href: paths.hosts, recordPrefix: '/host/', icon: Server, collection: 'hosts' }],
  },
  {
    key: 'organisation',
    items: [
      { key: 'users', href: paths.users, recordPrefix: '/user/', icon: Users, collection: 'users' },
      { key: 'audit', href: paths.audit, recordPrefix: '/audit/', icon: ScrollText, isForAdmins: true },
    ],
  },
];

export const navItems: NavItem[] = navGroups.flatMap((group) => group.items);

/** The area that an address lies in. */
export function navItemOf(pathname: string): NavItem | undefined {
  return navItems.find((item) => pathname.startsWith(item.href) || pathname.startsWith(item.recordPrefix));
}

/** Whether the area is shown to the viewer. */
export function isOffered(item: NavItem, viewer: { isAdmin: boolean }): boolean {
  return viewer.isAdmin || !item.isForAdmins;
}
