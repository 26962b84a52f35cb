'use client';

import { Activity, FlaskConical, Plus, Power, PowerOff, Server, Wrench } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useSearchParams } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useViewer } from '@/components/data/session-provider';
import type { HostRecord } from '@/components/data/types';
import { Age } from '@/components/records/age';
import { fieldIs } from '@/components/records/search/filter-text';
import { useFormats } from '@/components/records/use-formats';
import { SimulatedNotice } from '@/components/records/host-cell';
import { useEnabledFilter } from '@/components/records/list-filters-common';
import type { ListDefinition } from '@/components/records/list-types';
import { RecordList } from '@/components/records/record-list';
import { HostStatusLine } from '@/components/records/resource-status';
import { LinkedName } from '@/components/records/linked-name';
import { fieldTerm } from '@/components/records/search/search-terms';
import { Button } from '@/components/ui/button';
import { Kbd, Tag } from '@/components/ui/parts';
import { HOST_STATUSES } from '@/lib/vocabulary/host';
import { paths } from '@/lib/paths';
import { engineText } from '@/components/records/engine-text';
import type { JoinOffer } from './join-command';
import { WorkspaceCount } from './workspace-count';
import { hostQuestion } from './list-question';
import { useSwitchHosts } from './use-switch-hosts';

const AddHostDialog = dynamic(() => import('./add-host-dialog').then((module) => module.AddHostDialog));

export function HostList({ offer }: { offer: JoinOffer }) {
  const { bytes } = useFormats();
  const t = useTranslations('pages.hosts');
  const common = useTranslations('common');
  const viewer = useViewer();
  const isAsked = useSearchParams().get('add') === '1';
  const [isAdding, setAdding] = useState(isAsked && viewer.isAdmin);
  const enabled = useEnabledFilter();
  const switchHosts = useSwitchHosts();
  const add = (isPrimary: boolean) =>
    viewer.isAdmin && (
      <Button variant="primary" {...(isPrimary ? { 'data-key-create': '' } : {})} onClick={() => setAdding(true)}>
        <Plus className="size-4" />
        {t('add')}
        {isPrimary && <Kbd isOnAccent>C</Kbd>}
      </Button>
    );

  const list: ListDefinition<'hosts'> = {
    ...hostQuestion,
    title: t('title'),
    searchLabel: t('search'),
    searchFields: ['name'],
    rowName: (host) => host.name,
    isRowDim: (host) => !host.enabled,
    actions: add(true),
    notice: <SimulatedNotice />,
    filters: [
      {
        key: 'status',
        label: common('filters.status'),
        icon: <Activity aria-hidden="true" />,
        options: HOST_STATUSES.map((status) => ({ value: status, label: common(`hostStatus.${status}`) })),
        term: fieldTerm('status'),
        toFilter: (value) => fieldIs('status', value),
      },
      enabled,
    ],
    columns: [
      {
        id: 'name',
        header: common('columns.name'),
        sortKey: 'name',
        enough: 260,
        small: 'name',
        cell: (host) => <HostName host={host} />,
      },
      {
        id: 'status',
        header: common('columns.status'),
        sortKey: 'status',
        enough: 190,
        small: 'status',
        cell: (host) => <HostStatusLine host={host} />,
      },
      { id: 'engine', header: t('engine'), enough: 150, rank: 4, cell: (host) => engineText(host) },
      {
        id: 'cpu',
        header: t('cores'),
        enough: 80,
        rank: 3,
        cell: (host) => host.resources?.cpuCores || '–',
      },
      {
        id: 'memory',
        header: t('memory'),
        enough: 100,
        rank: 2,
        cell: (host) => (host.resources ? bytes(host.resources.memoryBytes) : '–'),
      },
      {
        id: 'gpus',
        header: t('gpus'),
        enough: 80,
        rank: 3,
        cell: (host) => host.resources?.gpus.length || t('none'),
      },
      {
        id: 'workspaces',
        header: t('workspaces'),
        enough: 100,
        rank: 1,
        cell: (host) => <WorkspaceCount hostId={host.id} />,
      },
      {
        id: 'updated',
        header: common('columns.changed'),
        sortKey: 'updated',
        enough: 90,
        rank: 5,
        cell: (host) => <Age at={host.updated} />,
      },
    ],
    batch: (['enable', 'disable'] as const).map((change) => ({
      key: change,
      label: common(`actions.${change}`),
      icon: change === 'enable' ? <Power /> : <PowerOff />,
      refusal: (host) => {
        if (!host.can?.['modify']) return common('batch.notAllowed');
        return host.enabled === (change === 'enable') ? common('batch.notNow') : undefined;
      },
      ...(change === 'disable' && {
        question: (count: number) => ({ title: t('batch.title', { count }), text: t('batch.text') }),
      }),
      run: (hosts) => switchHosts(hosts, change),
    })),
    empty: {
      title: t('empty.title'),
      text: viewer.isAdmin ? t('empty.text') : t('empty.ask'),
      action: add(false) || undefined,
    },
  };

  return (
    <>
      <RecordList list={list} />
      {isAdding && <AddHostDialog offer={offer} onClose={() => setAdding(false)} />}
    </>
  );
}

function HostName({ host }: { host: HostRecord }) {
  const t = useTranslations('common');
  return (
    <LinkedName icon={<Server />} name={host.name} href={paths.host(host.id)}>
      {host.engine?.kind === 'simulated' && (
        <span title={t('hostNotice.simulated')}>
          <Tag tone="warn">
            <FlaskConical className="size-3" aria-hidden="true" />
            {t('hostNotice.simulatedShort')}
          </Tag>
        </span>
      )}
      {host.maintenance && (
        <span title={host.maintenance.reason}>
          <Tag tone="warn">
            <Wrench className="size-3" aria-hidden="true" />
            {t('hostNotice.maintenanceShort')}
          </Tag>
        </span>
      )}
      {!host.enabled && <Tag>{t('disabled')}</Tag>}
    </LinkedName>
  );
}
