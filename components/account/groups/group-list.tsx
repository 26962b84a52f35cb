'use client';

import { UsersRound } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { useViewer } from '@/components/data/session-provider';
import { Age } from '@/components/records/age';
import { CreateButton } from '@/components/records/create-button';
import { LinkedName } from '@/components/records/linked-name';
import type { ListDefinition } from '@/components/records/list-types';
import { RecordList } from '@/components/records/record-list';
import { Button } from '@/components/ui/button';
import { paths } from '@/lib/paths';
import { groupQuestion } from './list-question';

export function GroupList() {
  const t = useTranslations('pages.groups');
  const common = useTranslations('common');
  const viewer = useViewer();
  const list: ListDefinition<'groups'> = {
    ...groupQuestion,
    title: t('title'),
    searchLabel: t('search'),
    searchFields: ['name', 'description'],
    rowName: (group) => group.name,
    actions: <CreateButton may={viewer.isAdmin} href={paths.groupCreate} label={t('new')} />,
    filters: [],
    columns: [
      {
        id: 'name',
        header: common('columns.name'),
        sortKey: 'name',
        enough: 220,
        small: 'name',
        cell: (group) => <LinkedName icon={<UsersRound />} name={group.name} href={paths.group(group.id)} />,
      },
      {
        id: 'members',
        header: t('tabs.members'),
        sortKey: 'memberCount',
        enough: 110,
        small: 'status',
        cell: (group) => common('permissions.members', { count: group.memberCount }),
      },
      {
        id: 'description',
        header: t('labels.description'),
        enough: 300,
        rank: 2,
        cell: (group) => <span className="text-text-2 truncate">{group.description}</span>,
      },
      {
        id: 'created',
        header: common('columns.created'),
        sortKey: 'created',
        enough: 90,
        rank: 1,
        cell: (group) => <Age at={group.created} />,
      },
    ],
    empty: {
      title: t('empty.title'),
      text: t('empty.text'),
      action: viewer.isAdmin && (
        <Button asChild variant="primary">
          <Link href={paths.groupCreate}>{t('new')}</Link>
        </Button>
      ),
    },
  };
  return <RecordList list={list} />;
}
