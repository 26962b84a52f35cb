'use client';

import { Power, Server, UserRound } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useAllRecords } from '@/components/data/records';
import { useViewer } from '@/components/data/session-provider';
import type { ListFilter } from './list-types';
import { displayName } from './person';

/** Who made it: me, or anyone else. */
export function useOwnerFilter(): ListFilter {
  const t = useTranslations('common.filters');
  const viewer = useViewer();
  const users = useAllRecords('users', { sort: 'name' }).data ?? [];
  return {
    key: 'owner',
    label: t('owner'),
    icon: <UserRound aria-hidden="true" />,
    options: [
      { value: 'me', label: t('me') },
      ...users.filter((user) => user.id !== viewer.id).map((user) => ({ value: user.id, label: displayName(user) })),
    ],
    toFilter: (value) => ({
      expression: 'created_by = {:owner}',
      params: { owner: value === 'me' ? viewer.id : value },
    }),
  };
}

/** Which host, by the field that names it. */
export function useHostFilter(field: 'host' | 'build_on'): ListFilter {
  const t = useTranslations('common.filters');
  const hosts = useAllRecords('hosts', { sort: 'name' }).data ?? [];
  return {
    key: 'host',
    label: t('host'),
    icon: <Server aria-hidden="true" />,
    options: hosts.map((host) => ({ value: host.id, label: host.name })),
    toFilter: (value) => ({ expression: `${field} = {:host}`, params: { host: value } }),
  };
}

/** Active or inactive: whether it is enabled. */
export function useEnabledFilter(): ListFilter {
  const t = useTranslations('common.filters');
  return {
    key: 'enabled',
    label: t('state'),
    icon: <Power aria-hidden="true" />,
    options: [
      { value: 'yes', label: t('active') },
      { value: 'no', label: t('inactive') },
    ],
    toFilter: (value) => ({ expression: 'enabled = {:enabled}', params: { enabled: value === 'yes' } }),
  };
}
