'use client';

import { Activity, Network } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { NetworkRecord } from '@/components/data/types';
import { Age } from '@/components/records/age';
import { HostCell } from '@/components/records/host-cell';
import { useHostFilter, useOwnerFilter } from '@/components/records/list-filters-common';
import type { ListDefinition } from '@/components/records/list-types';
import { Person } from '@/components/records/person';
import { CreateButton } from '@/components/records/create-button';
import { RecordList } from '@/components/records/record-list';
import { ResourceStatusLine } from '@/components/records/resource-status';
import { fieldIs } from '@/components/records/search/filter-text';
import { useMayCreate } from '@/components/records/use-may-create';
import { LinkedName } from '@/components/records/linked-name';
import { fieldTerm } from '@/components/records/search/search-terms';
import { Button } from '@/components/ui/button';
import { paths } from '@/lib/paths';
import { RESOURCE_STATUSES } from '@/lib/vocabulary/resource-status';
import { networkQuestion } from './list-question';

export function NetworkList() {
  const t = useTranslations('pages.networks');
  const common = useTranslations('common');
  const mayCreate = useMayCreate('canCreateNetworks');
  const list: ListDefinition<'networks'> = {
    ...networkQuestion,
    title: t('title'),
    searchLabel: t('search'),
    searchFields: ['name'],
    rowName: (network) => network.name,
    actions: <CreateButton may={mayCreate} href={paths.networkCreate} label={t('new')} />,
    filters: [
      useHostFilter('host'),
      {
        key: 'status',
        label: common('filters.status'),
        icon: <Activity aria-hidden="true" />,
        options: RESOURCE_STATUSES.map((status) => ({ value: status, label: common(`resourceStatus.${status}`) })),
        term: fieldTerm('status'),
        toFilter: (value) => fieldIs('status', value),
      },
      useOwnerFilter(),
    ],
    columns: [
      {
        id: 'name',
        header: common('columns.name'),
        sortKey: 'name',
        enough: 220,
        small: 'name',
        cell: (network) => <NetworkName network={network} />,
      },
      {
        id: 'status',
        header: common('columns.status'),
        sortKey: 'status',
        enough: 190,
        small: 'status',
        cell: (network) => <ResourceStatusLine resource={network} />,
      },
      {
        id: 'host',
        header: common('columns.host'),
        enough: 120,
        rank: 1,
        cell: (network) => <HostCell host={network.expand?.host} />,
      },
      {
        id: 'owner',
        header: common('columns.owner'),
        enough: 140,
        rank: 4,
        cell: (network) => <Person user={network.expand?.created_by} />,
      },
      {
        id: 'created',
        header: common('columns.created'),
        sortKey: 'created',
        enough: 90,
        rank: 2,
        cell: (network) => <Age at={network.created} />,
      },
    ],
    empty: {
      title: t('empty.title'),
      text: mayCreate === false ? t('empty.ask') : t('empty.text'),
      action: mayCreate && (
        <Button asChild variant="primary">
          <Link href={paths.networkCreate}>{t('new')}</Link>
        </Button>
      ),
    },
  };
  return <RecordList list={list} />;
}

function NetworkName({ network }: { network: NetworkRecord }) {
  return <LinkedName icon={<Network />} name={network.name} href={paths.network(network.id)} />;
}
