'use client';

import { useTranslations } from 'next-intl';
import type { PermissionFlag } from '@/components/records/permission-draft';

const FLAGS = [
  'view',
  'canCreateWorkspaces',
  'canCreateImages',
  'canCreateBindMounts',
  'canCreateVolumeMounts',
  'canCreateNetworks',
] as const;

export function useHostFlags(): PermissionFlag[] {
  const t = useTranslations('pages.hosts.flags');
  return FLAGS.map((key) => ({ key, label: t(`${key}.label`), hint: t(`${key}.hint`) }));
}
