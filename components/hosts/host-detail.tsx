'use client';

import { Ellipsis, Power, Server, Trash2 } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useRecord } from '@/components/data/records';
import type { HostRecord } from '@/components/data/types';
import { DetailHead } from '@/components/records/detail-head';
import { HostNotices } from '@/components/records/host-notices';
import { PermissionsEditor } from '@/components/records/permissions-editor';
import { RecordPage } from '@/components/records/record-page';
import { HostStatusLine } from '@/components/records/resource-status';
import { useTab } from '@/components/records/use-tab';
import { IconButton } from '@/components/ui/button';
import { Menu, MenuItem, MenuLine } from '@/components/ui/menu';
import { TabPanel, Tabs } from '@/components/ui/tabs';
import { HostDelete } from './host-delete';
import { HostResourcesTab } from './host-resources-tab';
import { HostSettings } from './host-settings';
import { HostWorkspaces } from './host-workspaces';
import { useHostFlags } from './use-host-flags';
import { useSwitchHost } from './use-switch-host';

const TABS = ['resources', 'basic-information', 'workspaces', 'permissions', 'delete'] as const;

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
  const [tab, setTab] = useTab(TABS);
  const flags = useHostFlags();
  const switchHost = useSwitchHost(host);
  const may = host.can ?? {};
  const shown = TABS.filter((each) =>
    each === 'delete' ? may['delete'] : each === 'permissions' ? may['share'] : true,
  );
  const current = shown.find((each) => each === tab) ?? 'resources';
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <DetailHead
        icon={<Server />}
        name={host.name}
        status={<HostStatusLine host={host} />}
        place={!host.enabled && <span className="text-table text-text-3">{common('disabled')}</span>}
        actions={
          (may['modify'] || may['delete']) && (
            <Menu
              trigger={
                <IconButton variant="default" label={common('actions.more')}>
                  <Ellipsis className="size-4" />
                </IconButton>
              }
            >
              {may['modify'] && (
                <MenuItem icon={<Power />} onSelect={() => void switchHost()}>
                  {host.enabled ? common('actions.disable') : common('actions.enable')}
                </MenuItem>
              )}
              {may['delete'] && (
                <>
                  <MenuLine />
                  <MenuItem icon={<Trash2 />} isDanger onSelect={() => setTab('delete')}>
                    {common('actions.delete')}
                  </MenuItem>
                </>
              )}
            </Menu>
          )
        }
      />
      <Tabs
        className="flex min-h-0 flex-1 flex-col"
        label={host.name}
        value={current}
        onValueChange={setTab}
        tabs={shown.map((each) => ({ value: each, label: t(`tabs.${each}`), isTail: each === 'delete' }))}
      >
        <HostNotices host={host} className="grid gap-2 px-6 pt-3.5 max-lg:px-4" />
        <TabPanel value="resources" className="overflow-auto px-6 py-3.5 max-lg:px-4">
          <HostResourcesTab host={host} />
        </TabPanel>
        <TabPanel value="basic-information" className="flex min-h-0 flex-1 flex-col pt-3">
          <HostSettings key={host.id} host={host} />
        </TabPanel>
        <TabPanel value="workspaces" className="overflow-auto pt-2">
          <HostWorkspaces host={host} />
        </TabPanel>
        <TabPanel value="permissions" className="flex min-h-0 flex-1 flex-col">
          <PermissionsEditor
            collection="host_permissions"
            field="host"
            resourceId={host.id}
            creatorId={host.created_by}
            flags={flags}
            implied="view"
            canEdit={may['share'] === true}
          />
        </TabPanel>
        <TabPanel value="delete" className="overflow-auto px-6 py-4 max-lg:px-4">
          <HostDelete host={host} />
        </TabPanel>
      </Tabs>
    </div>
  );
}
