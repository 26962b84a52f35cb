'use client';

import dynamic from 'next/dynamic';
import { useTranslations } from 'next-intl';
import { useRecord } from '@/components/data/records';
import { useViewer } from '@/components/data/session-provider';
import type { UserRecord } from '@/components/data/types';
import { displayName, PersonAvatar } from '@/components/records/person';
import { RecordDetail } from '@/components/records/record-detail';
import { RecordPage } from '@/components/records/record-page';
import { Tag } from '@/components/ui/parts';

const ExternalAccounts = dynamic(() => import('./external-accounts').then((module) => module.ExternalAccounts));
const PasswordForm = dynamic(() => import('./password-form').then((module) => module.PasswordForm));
const ProfileForm = dynamic(() => import('./profile-form').then((module) => module.ProfileForm));
const OwnQuota = dynamic(() => import('./own-quota').then((module) => module.OwnQuota));
const SecurityTab = dynamic(() => import('../security/security-tab').then((module) => module.SecurityTab));

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
  return (
    <RecordDetail
      label={t('title')}
      portrait={<PersonAvatar user={user} size="xl" />}
      name={displayName(user)}
      status={<span className="text-table text-text-2">{user.username}</span>}
      place={user.isAdmin && <Tag tone="accent">{t('admin')}</Tag>}
      tabs={[
        {
          value: 'profile',
          label: t('tabs.profile'),
          look: 'form',
          panel: () => <ProfileForm user={user} hasMailServer={hasMailServer} />,
        },
        { value: 'password', label: t('tabs.password'), look: 'form', panel: () => <PasswordForm user={user} /> },
        { value: 'security', label: t('tabs.security'), panel: () => <SecurityTab /> },
        {
          value: 'external-accounts',
          label: t('tabs.external-accounts'),
          panel: () => <ExternalAccounts userId={user.id} />,
        },
        { value: 'quota', label: t('tabs.quota'), panel: () => <OwnQuota userId={user.id} /> },
      ]}
    />
  );
}
