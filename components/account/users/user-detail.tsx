'use client';

import dynamic from 'next/dynamic';
import { useFormatter, useTranslations } from 'next-intl';
import { dateMs } from '@/components/data/dates';
import { useRecord } from '@/components/data/records';
import type { UserRecord } from '@/components/data/types';
import { DetailHead } from '@/components/records/detail-head';
import { displayName, PersonAvatar } from '@/components/records/person';
import { RecordDetail } from '@/components/records/record-detail';
import { RecordPage } from '@/components/records/record-page';
import { Card, Facts, Tag } from '@/components/ui/parts';
import { SendReset } from './send-reset';
import { UserDelete } from './user-delete';

const UserSettings = dynamic(() => import('./user-settings').then((module) => module.UserSettings));
const UserGrants = dynamic(() => import('./grant-lists').then((module) => module.UserGrants));
const UserReach = dynamic(() => import('./user-reach').then((module) => module.UserReach));
const QuotaForm = dynamic(() => import('@/components/records/quota/quota-form').then((module) => module.QuotaForm));
const UserSecurity = dynamic(() => import('./user-security').then((module) => module.UserSecurity));

/** Another person: to be changed by admins, to be looked at by others. */
export function UserDetail({ userId, hasMailServer }: { userId: string; hasMailServer: boolean }) {
  const query = useRecord('users', userId);
  return (
    <RecordPage query={query} nameOf={displayName}>
      {(user) => <UserView user={user} hasMailServer={hasMailServer} />}
    </RecordPage>
  );
}

function UserView({ user, hasMailServer }: { user: UserRecord; hasMailServer: boolean }) {
  const t = useTranslations('pages.users');
  const head = {
    portrait: <PersonAvatar user={user} size="xl" />,
    name: displayName(user),
    status: <span className="text-table text-text-2">{user.username}</span>,
    place: (
      <>
        {user.isAdmin && <Tag tone="accent">{t('admin')}</Tag>}
        <MemberSince created={user.created} />
      </>
    ),
  };
  if (user.can?.['manage'] !== true) {
    return (
      <div className="flex min-h-0 flex-1 flex-col">
        <DetailHead {...head} />
        <ShownUser user={user} />
      </div>
    );
  }
  return (
    <RecordDetail
      {...head}
      actions={() => user.email && <SendReset user={user} hasMailServer={hasMailServer} />}
      tabs={[
        {
          value: 'account',
          label: t('tabs.account'),
          look: 'form',
          panel: () => <UserSettings key={user.id} user={user} />,
        },
        { value: 'security', label: t('tabs.security'), panel: () => <UserSecurity user={user} /> },
        { value: 'permissions', label: t('tabs.permissions'), panel: () => <UserGrants user={user} /> },
        { value: 'reach', label: t('tabs.reach'), panel: () => <UserReach user={user} /> },
        {
          value: 'quota',
          label: t('tabs.quota'),
          look: 'form',
          panel: () => <QuotaForm key={user.id} holder={{ user: user.id }} name={displayName(user)} />,
        },
        { value: 'delete', label: t('tabs.delete'), isTail: true, panel: () => <UserDelete user={user} /> },
      ]}
    />
  );
}

function MemberSince({ created }: { created: string }) {
  const t = useTranslations('pages.users');
  const format = useFormatter();
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const ms = dateMs(created) ?? 0;
  return (
    <span
      className="text-table text-text-3"
      title={format.dateTime(ms, { dateStyle: 'medium', timeStyle: 'medium', timeZone })}
    >
      {t('memberSince', { date: format.dateTime(ms, { dateStyle: 'medium', timeZone }) })}
    </span>
  );
}

function ShownUser({ user }: { user: UserRecord }) {
  const t = useTranslations('pages.users');
  const account = useTranslations('common.account');
  return (
    <div className="px-6 pt-2 pb-6 max-lg:px-4">
      <Card title={t('tabs.account')} className="max-w-[660px]">
        <Facts
          items={[
            { name: account('name'), value: user.name || '–' },
            { name: account('username'), value: user.username },
            {
              name: account('email'),
              value: user.email ? (
                <a href={`mailto:${user.email}`} className="text-accent-text rounded-sm hover:underline">
                  {user.email}
                </a>
              ) : (
                <span className="text-text-3">{t('hidden')}</span>
              ),
            },
          ]}
        />
      </Card>
    </div>
  );
}
