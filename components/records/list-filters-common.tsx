'use client';

import { Power, Server, UserRound } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useViewer } from '@/components/data/session-provider';
import type { HostRecord } from '@/components/data/types';
import type { ListFilter } from './list-types';
import { personChoices, useHostChoices } from './record-choices';
import { fieldIs } from './search/filter-text';
import { fieldTerm, namedTerm, ownerTerm } from './search/search-terms';

/** Who made it: me, or anyone else. */
export function useOwnerFilter(): ListFilter {
  const t = useTranslations('common.filters');
  const viewer = useViewer();
  return {
    key: 'owner',
    label: t('owner'),
    icon: <UserRound aria-hidden="true" />,
    options: [{ value: 'me', label: t('me') }],
    choices: personChoices(`id != '${viewer.id}'`),
    term: ownerTerm(viewer.id),
    toFilter: (value) => fieldIs('created_by', value === 'me' ? viewer.id : value),
  };
}

/** Which host, by the field that names it. */
export function useHostFilter(field: 'host' | 'build_on'): ListFilter {
  const t = useTranslations('common.filters');
  return {
    key: 'host',
    label: t('host'),
    icon: <Server aria-hidden="true" />,
    options: [],
    choices: { ...useHostChoices(), toOption: (host: HostRecord) => ({ value: host.id, text: host.name }) },
    term: namedTerm(field, ['name'], 'hosts'),
    toFilter: (value) => fieldIs(field, value),
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
      { value: '', label: t('all') },
      { value: 'yes', label: t('active') },
      { value: 'no', label: t('inactive') },
    ],
    term: fieldTerm('enabled', (value) => value === 'yes'),
    toFilter: (value) => fieldIs('enabled', value === 'yes'),
  };
}
