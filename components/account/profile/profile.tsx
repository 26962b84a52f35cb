'use client';

import { useTranslations } from 'next-intl';
import { useRecord } from '@/components/data/records';
import { useViewer } from '@/components/data/session-provider';
import type { UserRecord } from '@/components/data/types';
import { DetailHead } from '@/components/records/detail-head';
import { displayName, PersonAvatar } from '@/components/records/person';
import { RecordPage } from '@/components/records/record-page';
import { useTab } from '@/components/records/use-tab';
import { Tag } from '@/components/ui/parts';
import { TabPanel, Tabs } from '@/components/ui/tabs';
import { ExternalAccounts } from './external-accounts';
import { PasswordForm } from './password-form';
import { ProfileForm } from './profile-form';
import { SecurityTab } from '../security/security-tab';

const TABS = ['profile', 'password', 'security', 'external-accounts'] as const;

/** One's own account. */
export function Profile({ hasMailServer }: { hasMailServer: boolean }) {
  const t = useTranslations('pages.profile');
  const viewer = useViewer();
  const query = useRecord('users', viewer.id);
  return (
    <RecordPage query={query} nameOf={() => t('title')}>
      {(user) => <ProfileView user={user} hasMailServer={hasMailServer} />}
    </RecordPage>
  );
}

function ProfileView({ user, hasMailServer }: { user: UserRecord; hasMailServer: boolean }) {
  const t = useTranslations('pages.profile');
  const [tab, setTab] = useTab(TABS);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <DetailHead
        portrait={<PersonAvatar user={user} size="xl" />}
        name={displayName(user)}
        status={<span className="text-table text-text-2">{user.username}</span>}
        place={user.isAdmin && <Tag tone="accent">{t('admin')}</Tag>}
      />
      <Tabs
        className="flex min-h-0 flex-1 flex-col"
        label={t('title')}
        value={tab}
        onValueChange={setTab}
        tabs={TABS.map((each) => ({ value: each, label: t(`tabs.${each}`) }))}
      >
        <TabPanel value="profile" isKept className="flex min-h-0 flex-1 flex-col pt-3">
          <ProfileForm user={user} hasMailServer={hasMailServer} />
        </TabPanel>
        <TabPanel value="password" className="flex min-h-0 flex-1 flex-col pt-3">
          <PasswordForm user={user} />
        </TabPanel>
        <TabPanel value="security" className="overflow-auto px-6 py-4 max-lg:px-4">
          <SecurityTab />
        </TabPanel>
        <TabPanel value="external-accounts" className="overflow-auto px-6 py-4 max-lg:px-4">
          <ExternalAccounts userId={user.id} />
        </TabPanel>
      </Tabs>
    </div>
  );
}
