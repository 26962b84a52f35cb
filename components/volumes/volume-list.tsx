'use client';

import { Activity, HardDrive } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { VolumeRecord } from '@/components/data/types';
import { Age } from '@/components/records/age';
import { HostCell } from '@/components/records/host-cell';
import { useHostFilter, useOwnerFilter } from '@/components/records/list-filters-common';
import type { ListDefinition } from '@/components/records/list-types';
import { Person } from '@/components/records/person';
import { CreateButton } from '@/components/records/create-button';
import { RecordList } from '@/components/records/record-list';
import { ResourceStatusLine } from '@/components/records/resource-status';
import { fieldIs } from '@/components/records/search/filter-text';
import { useMayCreateVolumes } from '@/components/records/use-may-create';
import { LinkedName } from '@/components/records/linked-name';
import { fieldTerm } from '@/components/records/search/search-terms';
import { Button } from '@/components/ui/button';
import { paths } from '@/lib/paths';
import { RESOURCE_STATUSES } from '@/lib/vocabulary/resource-status';
import { ShortSize } from './volume-size';
import { volumeQuestion } from './list-question';

export function VolumeList() {
  const t = useTranslations('pages.volumes');
  const common = useTranslations('common');
  const mayCreate = useMayCreateVolumes();
  const list: ListDefinition<'volumes'> = {
    ...volumeQuestion,
    title: t('title'),
    searchLabel: t('search'),
    searchFields: ['name'],
    rowName: (volume) => volume.name,
    actions: <CreateButton may={mayCreate} href={paths.volumeCreate} label={t('new')} />,
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
        cell: (volume) => <VolumeName volume={volume} />,
      },
      {
        id: 'status',
        header: common('columns.status'),
        sortKey: 'status',
        enough: 190,
        small: 'status',
        cell: (volume) => <ResourceStatusLine resource={volume} />,
      },
      {
        id: 'kind',
        header: t('kind'),
        sortKey: 'path_on_host',
        enough: 220,
        rank: 3,
        cell: (volume) =>
          volume.path_on_host ? (
            <span className="mono truncate" title={volume.path_on_host}>
              {volume.path_on_host}
            </span>
          ) : (
            t('named')
          ),
      },
      {
        id: 'size',
        header: t('size.label'),
        sortKey: 'sizeBytes',
        enough: 100,
        rank: 2,
        cell: (volume) => <ShortSize volume={volume} />,
      },
      {
        id: 'host',
        header: common('columns.host'),
        enough: 120,
        rank: 1,
        cell: (volume) => <HostCell host={volume.expand?.host} />,
      },
      {
        id: 'owner',
        header: common('columns.owner'),
        enough: 140,
        rank: 4,
        cell: (volume) => <Person user={volume.expand?.created_by} />,
      },
      {
        id: 'created',
        header: common('columns.created'),
        sortKey: 'created',
        enough: 90,
        rank: 2,
        cell: (volume) => <Age at={volume.created} />,
      },
    ],
    empty: {
      title: t('empty.title'),
      text: mayCreate === false ? t('empty.ask') : t('empty.text'),
      action: mayCreate && (
        <Button asChild variant="primary">
          <Link href={paths.volumeCreate}>{t('new')}</Link>
        </Button>
      ),
    },
  };
  return <RecordList list={list} />;
}

function VolumeName({ volume }: { volume: VolumeRecord }) {
  return <LinkedName icon={<HardDrive />} name={volume.name} href={paths.volume(volume.id)} />;
}
