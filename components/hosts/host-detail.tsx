'use client';

import { Ellipsis, Power, Server, Trash2 } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useRecord } from '@/components/data/records';
import { useViewer } from '@/components/data/session-provider';
import type { HostRecord } from '@/components/data/types';
import { HostNotices } from '@/components/records/host-notices';
import { PermissionsEditor } from '@/components/records/permissions-editor';
import { RecordDetail, type DetailTab } from '@/components/records/record-detail';
import { RecordPage } from '@/components/records/record-page';
import { HostStatusLine } from '@/components/records/resource-status';
import { IconButton } from '@/components/ui/button';
import { Menu, MenuItem, MenuLine } from '@/components/ui/menu';
import { HostDelete } from './host-delete';
import { HostResourcesTab } from './host-resources-tab';
import { HostSettings } from './host-settings';
import { HostUnknown } from './host-unknown';
import { HostWorkspaces } from './host-workspaces';
import { useHostFlags } from './use-host-flags';
import { useSwitchHost } from './use-switch-host';

export function HostDetail({ hostId }: { hostId: string }) {
  const query = useRecord('hosts', hostId, 'created_by');
  return (
    <RecordPage query={query} nameOf={(host) => host.name}>
      {(host) => <HostView host={host} />}
    </RecordPage>
  );
}

function HostView({ host }: { host: HostRecord }) {
  const t = useTranslations('pages.hosts');
  const common = useTranslations('common');
  const flags = useHostFlags();
  const may = host.can ?? {};
  const tabs: DetailTab[] = [
    { value: 'resources', label: t('tabs.resources'), panel: () => <HostResourcesTab host={host} /> },
    {
      value: 'basic-information',
      label: t('tabs.basic-information'),
      look: 'form',
      panel: () => <HostSettings key={host.id} host={host} />,
    },
    { value: 'workspaces', label: t('tabs.workspaces'), look: 'wide', panel: () => <HostWorkspacesTab host={host} /> },
    {
      value: 'permissions',
      label: t('tabs.permissions'),
      shownIf: may['share'] === true,
      look: 'fill',
      panel: () => (
        <PermissionsEditor
          collection="host_permissions"
          field="host"
          resourceId={host.id}
          creatorId={host.created_by}
          flags={flags}
          implied="view"
          canEdit
        />
      ),
    },
    {
      value: 'delete',
      label: t('tabs.delete'),
      shownIf: may['delete'] === true,
      isTail: true,
      panel: () => <HostDelete host={host} />,
    },
  ];
  return (
    <RecordDetail
      icon={<Server />}
      name={host.name}
      status={<HostStatusLine host={host} />}
      place={!host.enabled && <span className="text-table text-text-3">{common('disabled')}</span>}
      actions={(go) => <HostActions host={host} onDelete={() => go('delete')} />}
      notices={<HostNotices host={host} className="grid gap-2 px-6 pt-3.5 max-lg:px-4" />}
      tabs={tabs}
    />
  );
}

function HostWorkspacesTab({ host }: { host: HostRecord }) {
  const { isAdmin } = useViewer();
  return (
    <>
      {isAdmin && <HostUnknown host={host} />}
      <HostWorkspaces host={host} />
    </>
  );
}

function HostActions({ host, onDelete }: { host: HostRecord; onDelete: () => void }) {
  const common = useTranslations('common.actions');
  const switchHost = useSwitchHost(host);
  const may = host.can ?? {};
  if (!may['modify'] && !may['delete']) return null;
  return (
    <Menu
      trigger={
        <IconButton variant="default" label={common('more')}>
          <Ellipsis className="size-4" />
        </IconButton>
      }
    >
      {may['modify'] && (
        <MenuItem icon={<Power />} onSelect={() => void switchHost()}>
          {host.enabled ? common('disable') : common('enable')}
        </MenuItem>
      )}
      {may['delete'] && (
        <>
          <MenuLine />
          <MenuItem icon={<Trash2 />} isDanger onSelect={onDelete}>
            {common('delete')}
          </MenuItem>
        </>
      )}
    </Menu>
  );
}
