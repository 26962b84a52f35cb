'use client';

import { Trash2 } from 'lucide-react';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useRecord } from '@/components/data/records';
import type { WorkspaceRecord } from '@/components/data/types';
import { DetailHead } from '@/components/records/detail-head';
import { initialsOf } from '@/components/records/format';
import { HostNotices } from '@/components/records/host-notices';
import { PermissionsEditor } from '@/components/records/permissions-editor';
import { RecordPage } from '@/components/records/record-page';
import { WorkspaceStatusLine } from '@/components/records/resource-status';
import { useTab } from '@/components/records/use-tab';
import { Button } from '@/components/ui/button';
import { TabPanel, Tabs } from '@/components/ui/tabs';
import { paths } from '@/lib/paths';
import { ChangedBar } from './changed-bar';
import { DeleteWorkspacesDialog } from './delete-workspaces-dialog';
import { WorkspaceActivity } from './workspace-activity';
import { WorkspaceHeadActions } from './workspace-head-actions';
import { WorkspaceOverview } from './workspace-overview';
import { WorkspaceSettings } from './workspace-settings';

const TABS = ['overview', 'settings', 'permissions', 'activity', 'delete'] as const;
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
  const [tab, setTab] = useTab(TABS);
  const [isLeaving, setLeaving] = useState(false);
  const may = workspace.can ?? {};
  const shown = TABS.filter((each) =>
    each === 'delete' ? may['delete'] : each === 'permissions' ? may['share'] : true,
  );
  const current = shown.find((each) => each === tab) ?? 'overview';
  const host = workspace.expand?.host;
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <DetailHead
        icon={initialsOf(workspace.name)}
        name={workspace.name}
        status={<WorkspaceStatusLine workspace={workspace} host={host} />}
        place={
          <span className="text-table text-text-3">
            {host &&
              t.rich('onHost', {
                host: () => (
                  <Link href={paths.host(host.id)} className="text-text-2 rounded-sm font-medium hover:underline">
                    {host.name}
                  </Link>
                ),
              })}
            {!workspace.enabled && ` · ${common('disabled')}`}
          </span>
        }
        actions={<WorkspaceHeadActions workspace={workspace} onDelete={() => setTab('delete')} />}
      />
      <Tabs
        className="flex min-h-0 flex-1 flex-col"
        label={workspace.name}
        value={current}
        onValueChange={setTab}
        tabs={shown.map((each) => ({ value: each, label: t(`tabs.${each}`), isTail: each === 'delete' }))}
      >
        <div className="grid gap-2 px-6 not-empty:pt-3.5 max-lg:px-4">
          <HostNotices host={host} className="grid gap-2" />
          <ChangedBar workspace={workspace} />
        </div>
        <TabPanel value="overview" className="min-h-0 flex-1 overflow-auto px-6 py-3.5 max-lg:px-4">
          <WorkspaceOverview workspace={workspace} onAllDeployments={() => setTab('activity')} />
        </TabPanel>
        <TabPanel value="settings" className="flex min-h-0 flex-1 flex-col pt-3">
          <WorkspaceSettings key={workspace.id} workspace={workspace} />
        </TabPanel>
        <TabPanel value="permissions" className="flex min-h-0 flex-1 flex-col">
          <PermissionsEditor
            collection="workspace_permissions"
            field="workspace"
            resourceId={workspace.id}
            creatorId={workspace.created_by}
            flags={FLAGS.map((key) => ({ key, label: common(`flags.${key}`), hint: t(`flagHints.${key}`) }))}
            implied="view"
            canEdit={may['share'] === true}
          />
        </TabPanel>
        <TabPanel value="activity" className="min-h-0 flex-1 overflow-auto px-6 py-3.5 max-lg:px-4">
          <WorkspaceActivity workspace={workspace} />
        </TabPanel>
        <TabPanel value="delete" className="overflow-auto px-6 py-4 max-lg:px-4">
          <h2 className="font-semibold">{t('deletion.title', { name: workspace.name })}</h2>
          <p className="text-table text-text-2 mt-1 mb-3 max-w-[660px]">{t('deletion.text')}</p>
          <Button variant="danger" onClick={() => setLeaving(true)}>
            <Trash2 className="size-4" />
            {t('deletion.button', { count: 1 })}
          </Button>
        </TabPanel>
      </Tabs>
      {isLeaving && (
        <DeleteWorkspacesDialog
          workspaces={[workspace]}
          onClose={() => setLeaving(false)}
          onDone={() => router.push(paths.workspaces)}
        />
      )}
    </div>
  );
}
