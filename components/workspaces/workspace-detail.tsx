'use client';

import dynamic from 'next/dynamic';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useRecord } from '@/components/data/records';
import type { WorkspaceRecord } from '@/components/data/types';
import { HostNotices } from '@/components/records/host-notices';
import { OnHost } from '@/components/records/on-host';
import { permissionsTab } from '@/components/records/permissions-tab';
import { DeletePanel, RecordDetail, type DetailTab } from '@/components/records/record-detail';
import { RecordPage } from '@/components/records/record-page';
import { WorkspaceStatusLine } from '@/components/records/resource-status';
import { WorkspaceIcon } from '@/components/records/workspace-icon';
import { paths } from '@/lib/paths';
import type { AppsPlace } from '@/lib/vocabulary/app-address';
import { WorkspaceTemplateHeadActions } from './template-actions';
import { hasProtectedAddress } from './protected-addresses';
import { ChangedBar } from './changed-bar';
import { DeleteWorkspacesDialog } from './delete-workspaces-dialog';
import { WorkspaceHeadActions } from './workspace-head-actions';
import { WorkspaceOverview } from './workspace-overview';

const WorkspaceSettings = dynamic(() => import('./workspace-settings').then((module) => module.WorkspaceSettings));
const AddressLogIns = dynamic(() => import('./address-log-ins').then((module) => module.AddressLogIns));
const WorkspaceActivity = dynamic(() => import('./workspace-activity').then((module) => module.WorkspaceActivity));

const FLAGS = ['view', 'deploy', 'attach', 'modify', 'delete'] as const;

interface WorkspaceDetailProps {
  workspaceId: string;
  apps: AppsPlace | undefined;
}

export function WorkspaceDetail({ workspaceId, apps }: WorkspaceDetailProps) {
  const query = useRecord('workspaces', workspaceId, 'image,host,created_by');
  return (
    <RecordPage
      query={query}
      nameOf={(workspace) => workspace.name}
      listOf={({ template }) => (template ? 'templates' : undefined)}
    >
      {(workspace) => <WorkspaceView workspace={workspace} apps={apps} />}
    </RecordPage>
  );
}

function WorkspaceView({ workspace, apps }: { workspace: WorkspaceRecord; apps: AppsPlace | undefined }) {
  const t = useTranslations('pages.workspaces');
  const common = useTranslations('common');
  const router = useRouter();
  const [isLeaving, setLeaving] = useState(false);
  const may = workspace.can ?? {};
  const host = workspace.expand?.host;
  const isTemplate = workspace.template;
  const tabs: DetailTab[] = [
    {
      value: 'overview',
      label: t('tabs.overview'),
      shownIf: !isTemplate,
      panel: (go) => <WorkspaceOverview workspace={workspace} apps={apps} onAllDeployments={() => go('activity')} />,
    },
    {
      value: 'settings',
      label: t('tabs.settings'),
      look: 'form',
      panel: () => <WorkspaceSettings key={workspace.id} workspace={workspace} />,
    },
    permissionsTab(workspace, {
      label: t('tabs.permissions'),
      collection: 'workspace_permissions',
      field: 'workspace',
      flags: FLAGS.filter((key) => !isTemplate || key !== 'attach').map((key) => ({
        key,
        label: common(`flags.${key}`),
        hint: isTemplate && key !== 'attach' ? t(`templateHints.${key}`) : t(`flagHints.${key}`),
      })),
      implied: 'view',
    }),
    {
      value: 'log-ins',
      label: t('tabs.log-ins'),
      shownIf: !isTemplate && may['share'] === true && hasProtectedAddress(workspace),
      panel: () => <AddressLogIns workspace={workspace} />,
    },
    {
      value: 'activity',
      label: t('tabs.activity'),
      shownIf: !isTemplate,
      panel: () => <WorkspaceActivity workspace={workspace} />,
    },
    {
      value: 'delete',
      label: t('tabs.delete'),
      shownIf: may['delete'] === true,
      isTail: true,
      panel: () => (
        <DeletePanel
          title={t('deletion.title', { name: workspace.name })}
          text={isTemplate ? t('templates.deletion') : t('deletion.text')}
          button={isTemplate ? t('templates.deleteButton') : t('deletion.button', { count: 1 })}
          onDelete={() => setLeaving(true)}
        />
      ),
    },
  ];
  return (
    <>
      <RecordDetail
        portrait={<WorkspaceIcon workspace={workspace} size="lg" />}
        name={workspace.name}
        status={<WorkspaceStatusLine workspace={workspace} host={host} />}
        place={<OnHost host={host} isEnabled={workspace.enabled} />}
        actions={(go) =>
          isTemplate ? (
            <WorkspaceTemplateHeadActions template={workspace} onDelete={() => go('delete')} />
          ) : (
            <WorkspaceHeadActions workspace={workspace} onDelete={() => go('delete')} />
          )
        }
        notices={
          <div className="grid gap-2 px-6 not-empty:pt-3.5 max-lg:px-4">
            <HostNotices host={host} className="grid gap-2" />
            <ChangedBar workspace={workspace} />
          </div>
        }
        tags={{ tags: workspace.tags, list: isTemplate ? paths.workspaceTemplates : paths.workspaces }}
        tabs={tabs}
      />
      {isLeaving && (
        <DeleteWorkspacesDialog
          workspaces={[workspace]}
          onClose={() => setLeaving(false)}
          onDone={() => router.push(isTemplate ? paths.workspaceTemplates : paths.workspaces)}
        />
      )}
    </>
  );
}
