'use client';

import { Activity, FlaskConical, Plus, Server } from 'lucide-react';
import Link from 'next/link';
import { useSearchParams } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useViewer } from '@/components/data/session-provider';
import type { HostRecord } from '@/components/data/types';
import { Age } from '@/components/records/age';
import { formatBytes } from '@/components/records/format';
import { SimulatedNotice } from '@/components/records/host-cell';
import { useEnabledFilter } from '@/components/records/list-filters-common';
import type { ListDefinition } from '@/components/records/list-types';
import { RecordList } from '@/components/records/record-list';
import { HostStatusLine } from '@/components/records/resource-status';
import { Button } from '@/components/ui/button';
import { Kbd, Tag, IconTile } from '@/components/ui/parts';
import { HOST_STATUSES } from '@/lib/vocabulary/host';
import { paths } from '@/lib/paths';
import { AddHostDialog } from './add-host-dialog';
import { engineText } from './engine-text';
import { WorkspaceCount } from './workspace-count';

export function HostList() {
  const t = useTranslations('pages.hosts');
  const common = useTranslations('common');
  const viewer = useViewer();
  const isAsked = useSearchParams().get('add') === '1';
  const [isAdding, setAdding] = useState(isAsked && viewer.isAdmin);
  const enabled = useEnabledFilter();
  const add = (isPrimary: boolean) =>
    viewer.isAdmin && (
      <Button variant="primary" {...(isPrimary ? { 'data-key-create': '' } : {})} onClick={() => setAdding(true)}>
        <Plus className="size-4" />
        {t('add')}
        {isPrimary && <Kbd isOnAccent>C</Kbd>}
      </Button>
    );

  const list: ListDefinition<'hosts'> = {
    collection: 'hosts',
    title: t('title'),
    searchLabel: t('search'),
    searchFields: ['name'],
    expand: '',
    defaultSort: 'name',
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
        toFilter: (value) => ({ expression: 'status = {:status}', params: { status: value } }),
      },
      enabled,
    ],
    columns: [
      {
        id: 'name',
        header: common('columns.name'),
        sortKey: 'name',
        width: '26%',
        small: 'name',
        cell: (host) => <HostName host={host} />,
      },
      {
        id: 'status',
        header: common('columns.status'),
        sortKey: 'status',
        width: '24%',
        small: 'status',
        cell: (host) => <HostStatusLine host={host} />,
      },
      { id: 'engine', header: t('engine'), from: 'xl', cell: (host) => engineText(host) },
      { id: 'cpu', header: t('cores'), width: '80px', from: 'xl', cell: (host) => host.resources?.cpuCores || '–' },
      {
        id: 'memory',
        header: t('memory'),
        width: '100px',
        cell: (host) => (host.resources ? formatBytes(host.resources.memoryBytes) : '–'),
      },
      {
        id: 'gpus',
        header: t('gpus'),
        width: '90px',
        from: 'xl',
        cell: (host) => host.resources?.gpus.length || t('none'),
      },
      {
        id: 'workspaces',
        header: t('workspaces'),
        width: '110px',
        cell: (host) => <WorkspaceCount hostId={host.id} />,
      },
      {
        id: 'updated',
        header: common('columns.changed'),
        sortKey: 'updated',
        width: '110px',
        from: '2xl',
        cell: (host) => <Age at={host.updated} />,
      },
    ],
    empty: {
      title: t('empty.title'),
      text: viewer.isAdmin ? t('empty.text') : t('empty.ask'),
      action: add(false) || undefined,
    },
  };

  return (
    <>
      <RecordList list={list} />
      {isAdding && <AddHostDialog onClose={() => setAdding(false)} />}
    </>
  );
}

function HostName({ host }: { host: HostRecord }) {
  const t = useTranslations('common');
  return (
    <span className="flex min-w-0 items-center gap-2.5">
      <IconTile>
        <Server />
      </IconTile>
      <Link href={paths.host(host.id)} className="text-text truncate rounded-sm font-medium hover:underline">
        {host.name}
      </Link>
      {host.engine?.kind === 'simulated' && (
        <span title={t('hostNotice.simulated')}>
          <Tag tone="warn">
            <FlaskConical className="size-3" aria-hidden="true" />
            {t('hostNotice.simulatedShort')}
          </Tag>
        </span>
      )}
      {!host.enabled && <Tag>{t('disabled')}</Tag>}
    </span>
  );
}
