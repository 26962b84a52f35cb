import {
  AppWindow,
  BookOpen,
  Copy,
  FileText,
  Globe,
  HardDrive,
  Layers,
  Network,
  ScrollText,
  Server,
  Users,
  UsersRound,
  type LucideIcon,
} from 'lucide-react';
import { NO_TEMPLATE } from '@/components/data/templates';
import type { CollectionName } from '@/components/data/types';
import { paths } from '@/lib/paths';

export interface NavItem {
  key:
    | 'workspaces'
    | 'images'
    | 'templates'
    | 'files'
    | 'hosts'
    | 'volumes'
    | 'networks'
    | 'domains'
    | 'users'
    | 'groups'
    | 'audit'
    | 'reference';
  href: string;
  /** Address of one of its records starts so. */
  recordPrefix: string;
  icon: LucideIcon;
  /** Whose records are counted beside it: those that its list shows. */
  counts?: { collection: CollectionName; filter: string };
  isForAdmins?: boolean;
  /** What of the area has an address of its own, below it. */
  subItems?: NavSubItem[];
}

export interface NavSubItem {
  key: 'workspaceTemplates' | 'imageTemplates';
  href: string;
  counts: { collection: CollectionName; filter: string };
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
        counts: { collection: 'workspaces', filter: NO_TEMPLATE },
      },
      {
        key: 'images',
        href: paths.images,
        recordPrefix: '/image/',
        icon: Layers,
        counts: { collection: 'images', filter: NO_TEMPLATE },
      },
      {
        key: 'templates',
        href: paths.templates,
        recordPrefix: '/template/',
        icon: Copy,
        subItems: [
          {
            key: 'workspaceTemplates',
            href: paths.workspaceTemplates,
            counts: { collection: 'workspaces', filter: 'template = true' },
          },
          {
            key: 'imageTemplates',
            href: paths.imageTemplates,
            counts: { collection: 'images', filter: 'template = true' },
          },
        ],
      },
      {
        key: 'files',
        href: paths.files,
        recordPrefix: '/file/',
        icon: FileText,
        counts: { collection: 'files', filter: '' },
      },
    ],
  },
  {
    key: 'infrastructure',
    items: [
      {
        key: 'hosts',
        href: paths.hosts,
        recordPrefix: '/host/',
        icon: Server,
        counts: { collection: 'hosts', filter: '' },
      },
      {
        key: 'volumes',
        href: paths.volumes,
        recordPrefix: '/volume/',
        icon: HardDrive,
        counts: { collection: 'volumes', filter: '' },
      },
      {
        key: 'networks',
        href: paths.networks,
        recordPrefix: '/network/',
        icon: Network,
        counts: { collection: 'networks', filter: '' },
      },
      {
        key: 'domains',
        href: paths.domains,
        recordPrefix: '/domain/',
        icon: Globe,
        counts: { collection: 'domains', filter: '' },
      },
    ],
  },
  {
    key: 'organisation',
    items: [
      {
        key: 'users',
        href: paths.users,
        recordPrefix: '/user/',
        icon: Users,
        counts: { collection: 'users', filter: '' },
      },
      {
        key: 'groups',
        href: paths.groups,
        recordPrefix: '/group/',
        icon: UsersRound,
        counts: { collection: 'groups', filter: '' },
        isForAdmins: true,
      },
      { key: 'audit', href: paths.audit, recordPrefix: '/audit/', icon: ScrollText, isForAdmins: true },
      { key: 'reference', href: paths.apiReference, recordPrefix: '/api-reference/', icon: BookOpen },
    ],
  },
];

export const navItems: NavItem[] = navGroups.flatMap((group) => group.items);

/** The area that an address lies in: that of a sub-item comes before the one whose address begins the same. */
export function navItemOf(pathname: string): NavItem | undefined {
  return (
    navItems.find((item) => navSubItemOf(item, pathname)) ??
    navItems.find((item) => pathname.startsWith(item.href) || pathname.startsWith(item.recordPrefix))
  );
}

/** What of an area an address lies in, where that has an address of its own. */
export function navSubItemOf(item: NavItem, pathname: string): NavSubItem | undefined {
  return item.subItems?.find(({ href }) => pathname.startsWith(href));
}

/** Whether the area is shown to the viewer. */
export function isOffered(item: NavItem, viewer: { isAdmin: boolean }): boolean {
  return viewer.isAdmin || !item.isForAdmins;
}
