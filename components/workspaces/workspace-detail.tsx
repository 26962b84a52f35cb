'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useRecord } from '@/components/data/records';
import type { WorkspaceRecord } from '@/components/data/types';
import { initialsOf } from '@/components/records/format';
import { HostNotices } from '@/components/records/host-notices';
import { PermissionsEditor } from '@/components/records/permissions-editor';
import { OnHost } from '@/components/records/on-host';
import { DeletePanel, RecordDetail, type DetailTab } from '@/components/records/record-detail';
import { RecordPage } from '@/components/records/record-page';
import { WorkspaceStatusLine } from '@/components/records/resource-status';
import { paths } from '@/lib/paths';
import { ChangedBar } from './changed-bar';
import { DeleteWorkspacesDialog } from './delete-workspaces-dialog';
import { WorkspaceActivity } from './workspace-activity';
import { WorkspaceHeadActions } from './workspace-head-actions';
import { WorkspaceOverview } from './workspace-overview';
import { WorkspaceSettings } from './workspace-settings';

const FLAGS = ['view', 'deploy', 'attach', 'modify', 'delete'] as const;

export function WorkspaceDetail({ workspaceId }: { workspaceId: string }) {
  const query = useRecord('workspaces', workspaceId, 'image,host,created_by');
  return (
    <RecordPage query={query} nameOf={(workspace) => workspace.name}>
      {(workspace) => <WorkspaceView workspace={workspace} />}
    </RecordPage>
  );
}

function WorkspaceView({ workspace }: { workspace: WorkspaceRecord }) {
  const t = useTranslations('pages.workspaces');
  const common = useTranslations('common');
  const router = useRouter();
  const [isLeaving, setLeaving] = useState(false);
  const may = workspace.can ?? {};
  const host = workspace.expand?.host;
  const tabs: DetailTab[] = [
    {
      value: 'overview',
      label: t('tabs.overview'),
      panel: (go) => <WorkspaceOverview workspace={workspace} onAllDeployments={() => go('activity')} />,
    },
    {
      value: 'settings',
      label: t('tabs.settings'),
      look: 'form',
      panel: () => <WorkspaceSettings key={workspace.id} workspace={workspace} />,
    },
    {
      value: 'permissions',
      label: t('tabs.permissions'),
      shownIf: may['share'] === true,
      look: 'fill',
      panel: () => (
        <PermissionsEditor
          collection="workspace_permissions"
          field="workspace"
          resourceId={workspace.id}
          creatorId={workspace.created_by}
          flags={FLAGS.map((key) => ({ key, label: common(`flags.${key}`), hint: t(`flagHints.${key}`) }))}
          implied="view"
          canEdit
        />
      ),
    },
    { value: 'activity', label: t('tabs.activity'), panel: () => <WorkspaceActivity workspace={workspace} /> },
    {
      value: 'delete',
      label: t('tabs.delete'),
      shownIf: may['delete'] === true,
      isTail: true,
      panel: () => (
        <DeletePanel
          title={t('deletion.title', { name: workspace.name })}
          text={t('deletion.text')}
          button={t('deletion.button', { count: 1 })}
          onDelete={() => setLeaving(true)}
        />
      ),
    },
  ];
  return (
    <>
      <RecordDetail
        icon={initialsOf(workspace.name)}
        name={workspace.name}
        status={<WorkspaceStatusLine workspace={workspace} host={host} />}
        place={<OnHost host={host} isEnabled={workspace.enabled} />}
        actions={(go) => <WorkspaceHeadActions workspace={workspace} onDelete={() => go('delete')} />}
        notices={
          <div className="grid gap-2 px-6 not-empty:pt-3.5 max-lg:px-4">
            <HostNotices host={host} className="grid gap-2" />
            <ChangedBar workspace={workspace} />
          </div>
        }
        tabs={tabs}
      />
      {isLeaving && (
        <DeleteWorkspacesDialog
          workspaces={[workspace]}
          onClose={() => setLeaving(false)}
          onDone={() => router.push(paths.workspaces)}
        />
      )}
    </>
  );
}
