'use client';

import { Plus, Trash2 } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { ImageRecord } from '@/components/data/types';
import { Age } from '@/components/records/age';
import { HostCell } from '@/components/records/host-cell';
import { useEnabledFilter, useHostFilter, useOwnerFilter } from '@/components/records/list-filters-common';
import type { ListDefinition } from '@/components/records/list-types';
import { Person } from '@/components/records/person';
import { RecordList } from '@/components/records/record-list';
import { useMayCreate } from '@/components/records/use-may-create';
import { Button } from '@/components/ui/button';
import { Kbd } from '@/components/ui/parts';
import { paths } from '@/lib/paths';
import { DeleteImagesDialog } from './delete-images-dialog';
import { ImageTemplateRowActions } from './template-actions';
import { ImageName } from './image-cells';
import { templateQuestion } from './template-question';

export function ImageTemplateList() {
  const t = useTranslations('pages.images.templates');
  const kind = useTranslations('pages.images.overview.kinds');
  const common = useTranslations('common');
  const [leaving, setLeaving] = useState<ImageRecord[]>([]);
  const mayCreate = useMayCreate('canCreateImages');
  const list: ListDefinition<'images'> = {
    ...templateQuestion,
    title: t('title'),
    searchLabel: t('search'),
    searchFields: ['name'],
    rowName: (template) => template.name,
    isRowDim: (template) => !template.enabled,
    actions: mayCreate && (
      <Button asChild>
        <Link href={paths.imageTemplateCreate()} data-key-create="">
          <Plus className="size-4" aria-hidden="true" />
          {t('new')}
          <Kbd>C</Kbd>
        </Link>
      </Button>
    ),
    filters: [useHostFilter('build_on'), useOwnerFilter(), useEnabledFilter()],
    columns: [
      {
        id: 'name',
        header: common('columns.name'),
        sortKey: 'name',
        enough: 170,
        small: 'name',
        cell: (template) => <ImageName image={template} />,
      },
      {
        id: 'kind',
        header: t('kind'),
        sortKey: 'creationType',
        enough: 180,
        small: 'status',
        cell: (template) => kind(template.creationType),
      },
      {
        id: 'host',
        header: common('columns.host'),
        enough: 110,
        rank: 2,
        cell: (template) => <HostCell host={template.expand?.build_on} />,
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
    rowActions: (template) => <ImageTemplateRowActions template={template} onDelete={() => setLeaving([template])} />,
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
      text: mayCreate ? t('empty.text') : t('empty.ask'),
      action: mayCreate && (
        <Button asChild variant="primary">
          <Link href={paths.imageTemplateCreate()}>{t('new')}</Link>
        </Button>
      ),
    },
  };
  return (
    <>
      <RecordList list={list} />
      {leaving.length > 0 && <DeleteImagesDialog images={leaving} onClose={() => setLeaving([])} />}
    </>
  );
}
