'use client';

import { Plus, Power, PowerOff, ShieldCheck } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useViewer } from '@/components/data/session-provider';
import type { UserRecord } from '@/components/data/types';
import { Age } from '@/components/records/age';
import type { ListDefinition } from '@/components/records/list-types';
import { displayName, PersonAvatar } from '@/components/records/person';
import { RecordList } from '@/components/records/record-list';
import { useEnabledFilter } from '@/components/records/list-filters-common';
import { StatusLine } from '@/components/records/status-line';
import { fieldIs } from '@/components/records/search/filter-text';
import { fieldTerm } from '@/components/records/search/search-terms';
import { Button } from '@/components/ui/button';
import { Kbd, Tag } from '@/components/ui/parts';
import { paths } from '@/lib/paths';
import { DeleteUserDialog } from './delete-user-dialog';
import { useSwitchUsers } from './use-switch-users';
import { UserRowActions } from './user-row-actions';
import { userQuestion } from './list-question';

export function UserList() {
  const t = useTranslations('pages.users');
  const common = useTranslations('common');
  const viewer = useViewer();
  const [leaving, setLeaving] = useState<UserRecord>();
  const { switchUsers, refusalOf } = useSwitchUsers();
  const enabledFilter = useEnabledFilter();
  const roleFilter: ListDefinition<'users'>['filters'][number] = {
    key: 'role',
    label: t('role'),
    icon: <ShieldCheck aria-hidden="true" />,
    options: [
      { value: 'admin', label: t('admin') },
      { value: 'user', label: t('user') },
    ],
    term: fieldTerm('isAdmin', (value) => value === 'admin'),
    toFilter: (value) => fieldIs('isAdmin', value === 'admin'),
  };
  const roleColumn: ListDefinition<'users'>['columns'][number] = {
    id: 'role',
    header: t('role'),
    sortKey: 'isAdmin',
    enough: 90,
    rank: 2,
    cell: (user) => (user.isAdmin ? <Tag tone="accent">{t('admin')}</Tag> : t('user')),
  };
  const statusColumn: ListDefinition<'users'>['columns'][number] = {
    id: 'status',
    header: t('status'),
    sortKey: 'enabled',
    enough: 100,
    rank: 1,
    cell: (user) => <UserStatus user={user} />,
  };
  const list: ListDefinition<'users'> = {
    ...userQuestion,
    title: t('title'),
    searchLabel: t('search'),
    searchFields: ['username', 'email', 'name'],
    rowName: displayName,
    isRowDim: (user) => user.enabled === false,
    actions: viewer.isAdmin && (
      <Button asChild>
        <Link href={paths.userCreate} data-key-create="">
          <Plus className="size-4" aria-hidden="true" />
          {t('new')}
          <Kbd>C</Kbd>
        </Link>
      </Button>
    ),
    // Who is an admin, and who is disabled, is for admins to know.
    filters: viewer.isAdmin ? [roleFilter, enabledFilter] : [],
    columns: [
      {
        id: 'name',
        header: common('columns.name'),
        sortKey: 'name',
        enough: 180,
        small: 'name',
        cell: (user) => <UserName user={user} isOwn={user.id === viewer.id} />,
      },
      {
        id: 'username',
        header: t('username'),
        sortKey: 'username',
        enough: 110,
        small: 'status',
        cell: (user) => user.username,
      },
      {
        id: 'email',
        header: t('email'),
        enough: 190,
        rank: 3,
        cell: (user) => user.email ?? <span className="text-text-3">{t('hidden')}</span>,
      },
      ...(viewer.isAdmin ? [roleColumn, statusColumn] : []),
      {
        id: 'created',
        header: common('columns.created'),
        sortKey: 'created',
        enough: 90,
        rank: 4,
        cell: (user) => <Age at={user.created} />,
      },
    ],
    ...(viewer.isAdmin
      ? {
          rowActions: (user: UserRecord) =>
            user.id !== viewer.id && (
              <UserRowActions
                user={user}
                onSwitch={(isOn) => void switchUsers([user], isOn)}
                onDelete={() => setLeaving(user)}
              />
            ),
          batch: [
            {
              key: 'enable',
              label: common('actions.enable'),
              icon: <Power />,
              refusal: (user: UserRecord) => refusalOf(user, true),
              run: (rows: UserRecord[]) => void switchUsers(rows, true),
            },
            {
              key: 'disable',
              label: common('actions.disable'),
              icon: <PowerOff />,
              refusal: (user: UserRecord) => refusalOf(user, false),
              question: (count: number) => ({
                title: t('batch.disable.title', { count }),
                text: t('batch.disable.text'),
              }),
              run: (rows: UserRecord[]) => switchUsers(rows, false),
            },
          ],
        }
      : {}),
    empty: { title: t('empty.title'), text: t('empty.text') },
  };
  return (
    <>
      <RecordList list={list} />
      {leaving && <DeleteUserDialog user={leaving} onClose={() => setLeaving(undefined)} />}
    </>
  );
}

function UserName({ user, isOwn }: { user: UserRecord; isOwn: boolean }) {
  const t = useTranslations('pages.users');
  return (
    <span className="flex min-w-0 items-center gap-2.5">
      <PersonAvatar user={user} />
      <Link
        href={paths.user(user.id)}
        data-key-open=""
        className="text-text truncate rounded-sm font-medium hover:underline"
      >
        {displayName(user)}
      </Link>
      {isOwn && <Tag>{t('you')}</Tag>}
      {user.enabled === false && (
        <span className="lg:hidden">
          <Tag>{t('disabled')}</Tag>
        </span>
      )}
    </span>
  );
}

function UserStatus({ user }: { user: UserRecord }) {
  const t = useTranslations('pages.users');
  return user.enabled === false ? (
    <StatusLine kind="off" word={t('disabled')} />
  ) : (
    <StatusLine kind="up" word={t('active')} />
  );
}
