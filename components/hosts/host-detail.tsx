'use client';

import { paths } from '@/lib/paths';
import { Server } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useTranslations } from 'next-intl';
import { useRecord } from '@/components/data/records';
import { useViewer } from '@/components/data/session-provider';
import type { HostRecord } from '@/components/data/types';
import { HostNotices } from '@/components/records/host-notices';
import { permissionsTab } from '@/components/records/permissions-tab';
import { RecordDetail, type DetailTab } from '@/components/records/record-detail';
import { RecordPage } from '@/components/records/record-page';
import { HostStatusLine } from '@/components/records/resource-status';
import { HostActions } from './host-actions';
import { HostDelete } from './host-delete';
import { HostResourcesTab } from './host-resources-tab';
import { useHostFlags } from './use-host-flags';

const HostSettings = dynamic(() => import('./host-settings').then((module) => module.HostSettings));
const HostDomains = dynamic(() => import('./host-domains').then((module) => module.HostDomains));
const HostRegistries = dynamic(() => import('./host-registries').then((module) => module.HostRegistries));
const HostIntervals = dynamic(() => import('./host-times').then((module) => module.HostIntervals));
const HostTimeouts = dynamic(() => import('./host-times').then((module) => module.HostTimeouts));
const NvidiaTab = dynamic(() => import('./nvidia-tab').then((module) => module.NvidiaTab));
const ReverseProxyTab = dynamic(() => import('./reverse-proxy-tab').then((module) => module.ReverseProxyTab));
const TraefikTab = dynamic(() => import('./traefik-tab').then((module) => module.TraefikTab));
const HostTerminal = dynamic(() => import('./host-terminal').then((module) => module.HostTerminal));
const HostUnknown = dynamic(() => import('./host-unknown').then((module) => module.HostUnknown));
const HostWorkspaces = dynamic(() => import('./host-workspaces').then((module) => module.HostWorkspaces));

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
    {
      value: 'registry-auths',
      label: t('tabs.registry-auths'),
      look: 'form',
      panel: () => <HostRegistries key={host.id} host={host} />,
    },
    {
      value: 'reverse-proxy',
      label: t('tabs.reverse-proxy'),
      look: 'form',
      panel: () => <ReverseProxyTab key={host.id} host={host} />,
    },
    {
      value: 'nvidia-driver',
      label: t('tabs.nvidia-driver'),
      look: 'form',
      panel: () => <NvidiaTab key={host.id} host={host} />,
    },
    {
      value: 'traefik',
      label: t('tabs.traefik'),
      look: 'form',
      panel: () => <TraefikTab key={host.id} host={host} />,
    },
    {
      value: 'intervals-and-timeouts',
      label: t('tabs.intervals-and-timeouts'),
      look: 'form',
      panel: () => <HostIntervals key={host.id} host={host} />,
    },
    {
      value: 'timeouts',
      label: t('tabs.timeouts'),
      look: 'form',
      panel: () => <HostTimeouts key={host.id} host={host} />,
    },
    { value: 'workspaces', label: t('tabs.workspaces'), look: 'wide', panel: () => <HostWorkspacesTab host={host} /> },
    {
      value: 'terminal',
      label: t('tabs.terminal'),
      look: 'fill',
      shownIf: may['openTerminal'] === true && host.engine?.terminal?.isOn === true,
      panel: () => <HostTerminal key={host.id} host={host} />,
    },
    { value: 'domains', label: t('tabs.domains'), panel: () => <HostDomains host={host} /> },
    permissionsTab(host, {
      label: t('tabs.permissions'),
      collection: 'host_permissions',
      field: 'host',
      flags,
      implied: 'view',
    }),
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
      tags={{ tags: host.tags, list: paths.hosts }}
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
