'use client';

import { CircleUser, Contrast, Keyboard, LogOut, Plus, Settings } from 'lucide-react';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { useViewer } from '@/components/data/session-provider';
import { paths } from '@/lib/paths';
import { useMayCreate, useMayStart } from '@/components/records/use-may-create';
import { toggleTheme } from '@/components/data/theme';
import { isOffered, navItems } from '../nav-items';
import { useSignOut } from '../use-sign-out';

export interface PaletteCommand {
  id: string;
  label: string;
  icon: ReactNode;
  keys?: string[];
  /** Where it leads, or what it does. */
  href?: string;
  run?: () => void;
}

/** What can be done from anywhere: go to an area, create something, change the look, leave. */
export function useCommands(onHelp: () => void): { go: PaletteCommand[]; act: PaletteCommand[] } {
  const t = useTranslations('layout');
  const viewer = useViewer();
  const { signOut } = useSignOut();
  const mayStart = useMayStart();
  const mayMakeImages = useMayCreate('canCreateImages');
  const offered = navItems.filter((item) => isOffered(item, viewer));
  const areas: PaletteCommand[] = offered.map((item) => ({
    id: `go:${item.key}`,
    label: t(`nav.${item.key}`),
    icon: <item.icon />,
    ...(item.key === 'reference' ? {} : { keys: ['G', item.key.charAt(0).toUpperCase()] }),
    href: item.href,
  }));
  const go: PaletteCommand[] = [
    ...areas,
    { id: 'go:profile', label: t('profile'), icon: <CircleUser />, href: paths.profile },
    ...(viewer.isAdmin
      ? [{ id: 'go:settings', label: t('nav.settings'), icon: <Settings />, keys: ['G', 'S'], href: paths.settings }]
      : []),
  ];
  const create = (id: string, label: string, href: string) => ({ id, label, icon: <Plus />, href });
  const act: PaletteCommand[] = [
    ...(mayStart ? [create('new:workspace', t('create.workspaces'), paths.workspaceCreate)] : []),
    ...(mayMakeImages ? [create('new:image', t('create.images'), paths.imageCreate)] : []),
    ...(viewer.isAdmin
      ? [create('new:host', t('create.hosts'), paths.hostAdd), create('new:user', t('create.users'), paths.userCreate)]
      : []),
    { id: 'theme', label: t('theme'), icon: <Contrast />, run: toggleTheme },
    { id: 'keys', label: t('palette.keys'), icon: <Keyboard />, keys: ['?'], run: onHelp },
    { id: 'leave', label: t('signOut'), icon: <LogOut />, run: () => void signOut() },
  ];
  return { go, act };
}
