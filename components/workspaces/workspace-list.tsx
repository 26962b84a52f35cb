'use client';

import { Activity, Play, Plus, RefreshCw, Square, Trash2 } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { WorkspaceRecord } from '@/components/data/types';
import { Age } from '@/components/records/age';
import { useMayCreate } from '@/components/records/use-may-create';
import { initialsOf } from '@/components/records/format';
import { HostCell, SimulatedNotice } from '@/components/records/host-cell';
import { useEnabledFilter, useHostFilter, useOwnerFilter } from '@/components/records/list-filters-common';
import type { ListDefinition, ListFilter } from '@/components/records/list-types';
import { Person } from '@/components/records/person';
import { RecordList } from '@/components/records/record-list';
import { WorkspaceStatusLine } from '@/components/records/resource-status';
import { Button } from '@/components/ui/button';
import { IconTile, Kbd, Tag } from '@/components/ui/parts';
import { allowedWorkspaceActions, WORKSPACE_STATUSES } from '@/lib/vocabulary/workspace-status';
import { paths } from '@/lib/paths';
import { FirstUse } from './first-use';
import { DeleteWorkspacesDialog } from './delete-workspaces-dialog';
import { useWorkspaceActions, workspaceRight } from '@/components/records/use-workspace-actions';
import { imageReference } from '@/lib/vocabulary/image-reference';
import { WorkspaceRowActions } from './workspace-row-actions';

export function WorkspaceList() {
  const t = useTranslations('pages.workspaces');
  const common = useTranslations('common');
  const { ask } = useWorkspaceActions();
  const [leaving, setLeaving] = useState<WorkspaceRecord[]>([]);
  const mayCreate = useMayCreate('canCreateWorkspaces');
  const filters = [useHostFilter('host'), useStatusFilter(), useOwnerFilter(), useEnabledFilter()];
  const refuse = (action: 'start' | 'stop' | 'redeploy' | 'delete') => (workspace: WorkspaceRecord) => {
    if (!workspace.can?.[workspaceRight[action]]) return common('batch.notAllowed');
    return allowedWorkspaceActions(workspace).includes(action) ? undefined : common('batch.notNow');
  };

  const list: ListDefinition<'workspaces'> = {
    collection: 'workspaces',
    title: t('title'),
    searchLabel: t('search'),
    searchFields: ['name'],
    baseFilter: 'template = false',
    expand: 'image,host,created_by',
    defaultSort: '-updated',
    rowName: (workspace) => workspace.name,
    isRowDim: (workspace) => !workspace.enabled,
    actions: (
      <Button asChild>
        <Link href={paths.workspaceCreate} data-key-create="">
          <Plus className="size-4" aria-hidden="true" />
          {t('new')}
          <Kbd>C</Kbd>
        </Link>
      </Button>
    ),
    filters,
    notice: (
      <>
        <SimulatedNotice />
        <FirstUse />
      </>
    ),
    columns: [
      {
        id: 'name',
        header: common('columns.name'),
        sortKey: 'name',
        width: '19%',
        small: 'name',
        cell: (workspace) => <WorkspaceName workspace={workspace} />,
      },
      {
        id: 'status',
        header: common('columns.status'),
        sortKey: 'status',
        width: '22%',
        small: 'status',
        cell: (workspace) => <WorkspaceStatusLine workspace={workspace} host={workspace.expand?.host} />,
      },
      { id: 'image', header: common('columns.image'), cell: (workspace) => <ImageCell workspace={workspace} /> },
      {
        id: 'host',
        header: common('columns.host'),
        width: '90px',
        cell: (workspace) => <HostCell host={workspace.expand?.host} />,
      },
      {
        id: 'owner',
        header: common('columns.owner'),
        width: '140px',
        from: 'xl',
        cell: (workspace) => <Person user={workspace.expand?.created_by} />,
      },
      {
        id: 'updated',
        header: common('columns.changed'),
        sortKey: 'updated',
        width: '90px',
        from: 'xl',
        cell: (workspace) => <Age at={workspace.updated} />,
      },
    ],
    rowActions: (workspace) => <WorkspaceRowActions workspace={workspace} onDelete={() => setLeaving([workspace])} />,
    batch: [
      {
        key: 'start',
        label: common('actions.start'),
        icon: <Play />,
        refusal: refuse('start'),
        run: (rows) => void ask(rows, 'start'),
      },
      {
        key: 'stop',
        label: common('actions.stop'),
        icon: <Square />,
        refusal: refuse('stop'),
        run: (rows) => void ask(rows, 'stop'),
      },
      {
        key: 'redeploy',
        label: common('actions.redeploy'),
        icon: <RefreshCw />,
        refusal: refuse('redeploy'),
        run: (rows) => void ask(rows, 'redeploy'),
      },
      { key: 'delete', label: common('actions.delete'), icon: <Trash2 />, refusal: refuse('delete'), run: setLeaving },
    ],
    empty: {
      title: t('empty.title'),
      text: mayCreate ? t('empty.text') : t('empty.ask'),
      action: mayCreate && (
        <Button asChild variant="primary">
          <Link href={paths.workspaceCreate}>{t('new')}</Link>
        </Button>
      ),
    },
  };
  return (
    <>
      <RecordList list={list} />
      {leaving.length > 0 && <DeleteWorkspacesDialog workspaces={leaving} onClose={() => setLeaving([])} />}
    </>
  );
}

function useStatusFilter(): ListFilter {
  const common = useTranslations('common');
  return {
    key: 'status',
    label: common('filters.status'),
    icon: <Activity aria-hidden="true" />,
    options: WORKSPACE_STATUSES.map((status) => ({ value: status, label: common(`workspaceStatus.${status}`) })),
    toFilter: (value) => ({ expression: 'status = {:status}', params: { status: value } }),
  };
}

function WorkspaceName({ workspace }: { workspace: WorkspaceRecord }) {
  const common = useTranslations('common');
  return (
    <span className="flex min-w-0 items-center gap-2.5">
      <IconTile>{initialsOf(workspace.name)}</IconTile>
      <Link href={paths.workspace(workspace.id)} className="text-text truncate rounded-sm font-medium hover:underline">
        {workspace.name}
      </Link>
      {!workspace.enabled && <Tag>{common('disabled')}</Tag>}
    </span>
  );
}

function ImageCell({ workspace }: { workspace: WorkspaceRecord }) {
  const image = workspace.expand?.image;
  if (!image) return '–';
  return (
    <span className="mono" title={imageReference(image)}>
      {imageReference(image)}
    </span>
  );
}
