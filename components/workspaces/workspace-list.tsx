'use client';

import { Activity, Play, RefreshCw, ScrollText, Square, Trash2 } from 'lucide-react';
import Link from 'next/link';
import dynamic from 'next/dynamic';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { WorkspaceRecord } from '@/components/data/types';
import { useTell } from '@/components/data/use-tell';
import { Age } from '@/components/records/age';
import { fieldIs } from '@/components/records/search/filter-text';
import { useMayCreate, useMayStart } from '@/components/records/use-may-create';
import { HostCell, SimulatedNotice } from '@/components/records/host-cell';
import { useEnabledFilter, useHostFilter, useOwnerFilter } from '@/components/records/list-filters-common';
import type { ListDefinition, ListFilter } from '@/components/records/list-types';
import { Person } from '@/components/records/person';
import { CreateButton } from '@/components/records/create-button';
import { RecordList } from '@/components/records/record-list';
import { WorkspaceStatusLine } from '@/components/records/resource-status';
import { fieldTerm, namedTerm } from '@/components/records/search/search-terms';
import { Button } from '@/components/ui/button';
import { AS_USUAL } from '@/lib/vocabulary/redeploy';
import { allowedWorkspaceActions, WORKSPACE_STATUSES } from '@/lib/vocabulary/workspace-status';
import { paths } from '@/lib/paths';
import { FirstUse, FirstUseHero, useFirstUse } from './first-use';
import { DeleteWorkspacesDialog } from './delete-workspaces-dialog';
import { useWorkspaceActions, workspaceRight } from '@/components/records/use-workspace-actions';
import { ImageCell, WorkspaceName } from './workspace-cells';
import { WorkspaceRowActions } from './workspace-row-actions';
import { SIDE_BY_SIDE } from './side-by-side';
import { workspaceQuestion } from './list-question';

const RedeployManyChoices = dynamic(() => import('./redeploy-choices').then((module) => module.RedeployManyChoices));

export function WorkspaceList() {
  const t = useTranslations('pages.workspaces');
  const common = useTranslations('common');
  const { ask } = useWorkspaceActions();
  const tell = useTell();
  const router = useRouter();
  const [leaving, setLeaving] = useState<WorkspaceRecord[]>([]);
  const [redeploy, setRedeploy] = useState(AS_USUAL);
  const mayCreate = useMayCreate('canCreateWorkspaces');
  const mayStart = useMayStart();
  const mayMakeImages = useMayCreate('canCreateImages');
  const firstUse = useFirstUse();
  const filters = [useHostFilter('host'), useStatusFilter(), useOwnerFilter(), useEnabledFilter()];
  const left = firstUse?.steps.filter((step) => !step.isDone).length ?? 0;
  const refuse = (action: 'start' | 'stop' | 'redeploy' | 'delete') => (workspace: WorkspaceRecord) => {
    if (!workspace.can?.[workspaceRight[action]]) return common('batch.notAllowed');
    return allowedWorkspaceActions(workspace).includes(action) ? undefined : common('batch.notNow');
  };

  const list: ListDefinition<'workspaces'> = {
    ...workspaceQuestion,
    title: t('title'),
    searchLabel: t('search'),
    searchFields: ['name'],
    searchKeys: [
      {
        ...namedTerm('image', ['name', 'repository'], 'images'),
        key: 'image',
        label: common('columns.image'),
        values: [],
      },
    ],
    rowName: (workspace) => workspace.name,
    isRowDim: (workspace) => !workspace.enabled,
    actions: <CreateButton may={mayStart} href={paths.workspaceCreate} label={t('new')} />,
    filters,
    notice: (
      <>
        <SimulatedNotice />
        <FirstUse state={firstUse} />
      </>
    ),
    columns: [
      {
        id: 'name',
        header: common('columns.name'),
        sortKey: 'name',
        enough: 170,
        small: 'name',
        cell: (workspace) => <WorkspaceName workspace={workspace} />,
      },
      {
        id: 'status',
        header: common('columns.status'),
        sortKey: 'status',
        enough: 190,
        small: 'status',
        cell: (workspace) => <WorkspaceStatusLine workspace={workspace} host={workspace.expand?.host} />,
      },
      {
        id: 'image',
        header: common('columns.image'),
        enough: 225,
        rank: 1,
        cell: (workspace) => <ImageCell workspace={workspace} />,
      },
      {
        id: 'host',
        header: common('columns.host'),
        enough: 110,
        rank: 2,
        cell: (workspace) => <HostCell host={workspace.expand?.host} />,
      },
      {
        id: 'owner',
        header: common('columns.owner'),
        enough: 140,
        rank: 4,
        cell: (workspace) => <Person user={workspace.expand?.created_by} />,
      },
      {
        id: 'updated',
        header: common('columns.changed'),
        sortKey: 'updated',
        enough: 90,
        rank: 3,
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
        run: (rows) => ask(rows, 'start'),
      },
      {
        key: 'stop',
        label: common('actions.stop'),
        icon: <Square />,
        refusal: refuse('stop'),
        question: (count) => ({ title: t('batch.stop.title', { count }), text: t('batch.stop.text') }),
        run: (rows) => ask(rows, 'stop'),
      },
      {
        key: 'redeploy',
        label: common('actions.redeploy'),
        icon: <RefreshCw />,
        refusal: refuse('redeploy'),
        question: (count) => ({ title: t('batch.redeploy.title', { count }), text: t('batch.redeploy.text') }),
        choices: (rows) => (
          <RedeployManyChoices options={redeploy} onChange={setRedeploy} canPull={rows.some(isPulled)} />
        ),
        run: async (rows) => {
          setRedeploy(AS_USUAL);
          await ask(rows, 'redeploy', (row) => ({ ...redeploy, pull: redeploy.pull && isPulled(row) }));
        },
      },
      {
        key: 'logs',
        label: t('logs.together.open'),
        icon: <ScrollText />,
        refusal: () => undefined,
        run: (rows) => {
          if (rows.length > SIDE_BY_SIDE) tell.warned(t('logs.together.title'), t('logs.together.tooMany'));
          router.push(paths.workspacesLogs(rows.slice(0, SIDE_BY_SIDE).map(({ id }) => id)));
        },
      },
      { key: 'delete', label: common('actions.delete'), icon: <Trash2 />, refusal: refuse('delete'), run: setLeaving },
    ],
    empty: {
      title: t('empty.title'),
      text:
        mayCreate === false
          ? t('empty.ask')
          : [t('empty.text'), firstUse && t('empty.left', { count: left })].filter(Boolean).join(' '),
      action:
        firstUse || !mayCreate || mayStart === undefined ? undefined : mayStart ? (
          <Button asChild variant="primary">
            <Link href={paths.workspaceCreate}>{t('new')}</Link>
          </Button>
        ) : (
          mayMakeImages && (
            <Button asChild variant="primary">
              <Link href={paths.imageCreate}>{t('empty.image')}</Link>
            </Button>
          )
        ),
      extra: firstUse && mayCreate && <FirstUseHero steps={firstUse.steps} />,
    },
  };
  return (
    <>
      <RecordList list={list} />
      {leaving.length > 0 && <DeleteWorkspacesDialog workspaces={leaving} onClose={() => setLeaving([])} />}
    </>
  );
}

function isPulled({ expand }: WorkspaceRecord): boolean {
  return expand?.image?.creationType === 'pullAnImage';
}

function useStatusFilter(): ListFilter {
  const common = useTranslations('common');
  return {
    key: 'status',
    label: common('filters.status'),
    icon: <Activity aria-hidden="true" />,
    options: WORKSPACE_STATUSES.map((status) => ({ value: status, label: common(`workspaceStatus.${status}`) })),
    term: fieldTerm('status'),
    toFilter: (value) => fieldIs('status', value),
  };
}
