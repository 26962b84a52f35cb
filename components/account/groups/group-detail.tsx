'use client';

import { UsersRound } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useTranslations } from 'next-intl';
import { useRecord } from '@/components/data/records';
import type { GroupRecord } from '@/components/data/types';
import { RecordDetail } from '@/components/records/record-detail';
import { RecordPage } from '@/components/records/record-page';

const GroupSettings = dynamic(() => import('./group-settings').then((module) => module.GroupSettings));
const GroupMembers = dynamic(() => import('./group-members').then((module) => module.GroupMembers));
const GroupDelete = dynamic(() => import('./group-delete').then((module) => module.GroupDelete));
const QuotaForm = dynamic(() => import('@/components/records/quota/quota-form').then((module) => module.QuotaForm));
const GrantLists = dynamic(() => import('../users/grant-lists').then((module) => module.GrantLists));

export function GroupDetail({ groupId }: { groupId: string }) {
  const query = useRecord('groups', groupId);
  return (
    <RecordPage query={query} nameOf={(group) => group.name}>
      {(group) => <GroupView group={group} />}
    </RecordPage>
  );
}

function GroupView({ group }: { group: GroupRecord }) {
  const t = useTranslations('pages.groups');
  const common = useTranslations('common.permissions');
  return (
    <RecordDetail
      icon={<UsersRound />}
      name={group.name}
      status={<span className="text-table text-text-2">{common('members', { count: group.memberCount })}</span>}
      tabs={[
        {
          value: 'general',
          label: t('tabs.general'),
          look: 'form',
          panel: () => <GroupSettings key={group.id} group={group} />,
        },
        { value: 'members', label: t('tabs.members'), panel: () => <GroupMembers group={group} /> },
        {
          value: 'reach',
          label: t('tabs.reach'),
          panel: () => <GrantLists holder={{ group: group.id }} text={t('reach.text')} empty={t('reach.empty')} />,
        },
        {
          value: 'quota',
          label: t('tabs.quota'),
          look: 'form',
          shownIf: group.can?.['modify'] === true,
          panel: () => <QuotaForm key={group.id} holder={{ group: group.id }} name={group.name} />,
        },
        { value: 'delete', label: t('tabs.delete'), isTail: true, panel: () => <GroupDelete group={group} /> },
      ]}
    />
  );
}
