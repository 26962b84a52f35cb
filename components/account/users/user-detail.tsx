'use client';

import { useFormatter, useTranslations } from 'next-intl';
import { dateMs } from '@/components/data/dates';
import { useRecord } from '@/components/data/records';
import type { UserRecord } from '@/components/data/types';
import { DetailHead } from '@/components/records/detail-head';
import { displayName, PersonAvatar } from '@/components/records/person';
import { RecordPage } from '@/components/records/record-page';
import { useTab } from '@/components/records/use-tab';
import { Card, Facts, Tag } from '@/components/ui/parts';
import { TabPanel, Tabs } from '@/components/ui/tabs';
import { SendReset } from './send-reset';
import { UserDelete } from './user-delete';
import { UserGrants } from './user-grants';
import { UserSecurity } from './user-security';
import { UserSettings } from './user-settings';

const TABS = ['account', 'security', 'permissions', 'delete'] as const;

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
  const canManage = user.can?.['manage'] === true;
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <DetailHead
        portrait={<PersonAvatar user={user} size="xl" />}
        name={displayName(user)}
        status={<span className="text-table text-text-2">{user.username}</span>}
        place={
          <>
            {user.isAdmin && <Tag tone="accent">{t('admin')}</Tag>}
            <MemberSince created={user.created} />
          </>
        }
        actions={canManage && user.email && <SendReset user={user} hasMailServer={hasMailServer} />}
      />
      {canManage ? <ManagedUser user={user} /> : <ShownUser user={user} />}
    </div>
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

function ManagedUser({ user }: { user: UserRecord }) {
  const t = useTranslations('pages.users');
  const [tab, setTab] = useTab(TABS);
  return (
    <Tabs
      className="flex min-h-0 flex-1 flex-col"
      label={displayName(user)}
      value={tab}
      onValueChange={setTab}
      tabs={TABS.map((each) => ({ value: each, label: t(`tabs.${each}`), isTail: each === 'delete' }))}
    >
      <TabPanel value="account" isKept className="flex min-h-0 flex-1 flex-col pt-3">
        <UserSettings key={user.id} user={user} />
      </TabPanel>
      <TabPanel value="security" className="overflow-auto px-6 py-4 max-lg:px-4">
        <UserSecurity user={user} />
      </TabPanel>
      <TabPanel value="permissions" className="overflow-auto px-6 py-4 max-lg:px-4">
        <UserGrants user={user} />
      </TabPanel>
      <TabPanel value="delete" className="overflow-auto px-6 py-4 max-lg:px-4">
        <UserDelete user={user} />
      </TabPanel>
    </Tabs>
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
