'use client';

import { Trash2 } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { WorkspaceRecord } from '@/components/data/types';
import { Age } from '@/components/records/age';
import { HostCell } from '@/components/records/host-cell';
import { useEnabledFilter, useHostFilter, useOwnerFilter } from '@/components/records/list-filters-common';
import type { ListDefinition } from '@/components/records/list-types';
import { Person } from '@/components/records/person';
import { CreateButton } from '@/components/records/create-button';
import { RecordList } from '@/components/records/record-list';
import { useMayStart } from '@/components/records/use-may-create';
import { namedTerm } from '@/components/records/search/search-terms';
import { Button } from '@/components/ui/button';
import { paths } from '@/lib/paths';
import { DeleteWorkspacesDialog } from './delete-workspaces-dialog';
import { WorkspaceTemplateRowActions } from './template-actions';
import { ImageCell, WorkspaceName } from './workspace-cells';
import { templateQuestion } from './template-question';

export function WorkspaceTemplateList() {
  const t = useTranslations('pages.workspaces.templates');
  const common = useTranslations('common');
  const [leaving, setLeaving] = useState<WorkspaceRecord[]>([]);
  const mayStart = useMayStart();
  const list: ListDefinition<'workspaces'> = {
    ...templateQuestion,
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
    rowName: (template) => template.name,
    isRowDim: (template) => !template.enabled,
    actions: <CreateButton may={mayStart} href={paths.workspaceTemplateCreate()} label={t('new')} />,
    filters: [useHostFilter('host'), useOwnerFilter(), useEnabledFilter()],
    columns: [
      {
        id: 'name',
        header: common('columns.name'),
        sortKey: 'name',
        enough: 170,
        small: 'name',
        cell: (template) => <WorkspaceName workspace={template} />,
      },
      {
        id: 'image',
        header: common('columns.image'),
        enough: 225,
        small: 'status',
        cell: (template) => <ImageCell workspace={template} />,
      },
      {
        id: 'host',
        header: common('columns.host'),
        enough: 110,
        rank: 2,
        cell: (template) => <HostCell host={template.expand?.host} />,
      },
      {
        id: 'owner',
        header: common('columns.owner'),
        enough: 140,
        rank: 4,
        cell: (template) => <Person user={template.expand?.created_by} />,
      },
      {
        id: 'updated',
        header: common('columns.changed'),
        sortKey: 'updated',
        enough: 90,
        rank: 3,
        cell: (template) => <Age at={template.updated} />,
      },
    ],
    rowActions: (template) => (
      <WorkspaceTemplateRowActions template={template} onDelete={() => setLeaving([template])} />
    ),
    batch: [
      {
        key: 'delete',
        label: common('actions.delete'),
        icon: <Trash2 />,
        refusal: (template) => (template.can?.['delete'] ? undefined : common('batch.notAllowed')),
        run: setLeaving,
      },
    ],
    empty: {
      title: t('empty.title'),
      text: mayStart === false ? t('empty.ask') : t('empty.text'),
      action: mayStart && (
        <Button asChild variant="primary">
          <Link href={paths.workspaceTemplateCreate()}>{t('new')}</Link>
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
