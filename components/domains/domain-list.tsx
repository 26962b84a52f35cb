'use client';

import { Globe, Plus } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { useViewer } from '@/components/data/session-provider';
import type { DomainRecord } from '@/components/data/types';
import { Age } from '@/components/records/age';
import { HostCell } from '@/components/records/host-cell';
import { useHostFilter, useOwnerFilter } from '@/components/records/list-filters-common';
import type { ListDefinition } from '@/components/records/list-types';
import { Person } from '@/components/records/person';
import { RecordList } from '@/components/records/record-list';
import { LinkedName } from '@/components/records/linked-name';
import { Button } from '@/components/ui/button';
import { Kbd } from '@/components/ui/parts';
import { paths } from '@/lib/paths';
import { domainQuestion } from './list-question';

export function DomainList() {
  const t = useTranslations('pages.domains');
  const common = useTranslations('common');
  const { isAdmin } = useViewer();
  const list: ListDefinition<'domains'> = {
    ...domainQuestion,
    title: t('title'),
    searchLabel: t('search'),
    searchFields: ['url'],
    rowName: (domain) => domain.url,
    actions: isAdmin && (
      <Button asChild>
        <Link href={paths.domainCreate} data-key-create="">
          <Plus className="size-4" aria-hidden="true" />
          {t('new')}
          <Kbd>C</Kbd>
        </Link>
      </Button>
    ),
    filters: [useHostFilter('host'), useOwnerFilter()],
    columns: [
      {
        id: 'url',
        header: t('url'),
        sortKey: 'url',
        enough: 260,
        small: 'name',
        cell: (domain) => <DomainName domain={domain} />,
      },
      {
        id: 'host',
        header: common('columns.host'),
        enough: 140,
        small: 'status',
        cell: (domain) => <HostCell host={domain.expand?.host} />,
      },
      {
        id: 'owner',
        header: common('columns.owner'),
        enough: 140,
        rank: 2,
        cell: (domain) => <Person user={domain.expand?.created_by} />,
      },
      {
        id: 'created',
        header: common('columns.created'),
        sortKey: 'created',
        enough: 90,
        rank: 1,
        cell: (domain) => <Age at={domain.created} />,
      },
    ],
    empty: {
      title: t('empty.title'),
      text: isAdmin ? t('empty.text') : t('empty.ask'),
      action: isAdmin && (
        <Button asChild variant="primary">
          <Link href={paths.domainCreate}>{t('new')}</Link>
        </Button>
      ),
    },
  };
  return <RecordList list={list} />;
}

function DomainName({ domain }: { domain: DomainRecord }) {
  return <LinkedName icon={<Globe />} name={domain.url} href={paths.domain(domain.id)} />;
}
