'use client';

import { Activity, Ban, Ellipsis, Hammer, Layers, Trash2 } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { ImageRecord } from '@/components/data/types';
import { Age } from '@/components/records/age';
import { fieldIs } from '@/components/records/search/filter-text';
import { useMayCreate } from '@/components/records/use-may-create';
import { HostCell, SimulatedNotice } from '@/components/records/host-cell';
import { useEnabledFilter, useHostFilter, useOwnerFilter } from '@/components/records/list-filters-common';
import type { ListDefinition } from '@/components/records/list-types';
import { Person } from '@/components/records/person';
import { CreateButton } from '@/components/records/create-button';
import { RecordList } from '@/components/records/record-list';
import { ImageStatusLine } from '@/components/records/resource-status';
import { fieldTerm } from '@/components/records/search/search-terms';
import { Button, IconButton } from '@/components/ui/button';
import { Menu, MenuItem, MenuLine } from '@/components/ui/menu';
import { allowedImageActions, IMAGE_STATUSES, type ImageAction } from '@/lib/vocabulary/image-status';
import { paths } from '@/lib/paths';
import { DeleteImagesDialog } from './delete-images-dialog';
import { imageRight, useImageActions } from '@/components/records/use-image-actions';
import { imageReference } from '@/lib/vocabulary/image-reference';
import { CopyItems } from './copy-items';
import { ImageName } from './image-cells';
import { imageQuestion } from './list-question';

export function ImageList() {
  const t = useTranslations('pages.images');
  const common = useTranslations('common');
  const { ask } = useImageActions();
  const [leaving, setLeaving] = useState<ImageRecord[]>([]);
  const mayCreate = useMayCreate('canCreateImages');
  const filters = [useHostFilter('build_on'), useStatusFilter(), useOwnerFilter(), useEnabledFilter()];
  const refuse = (action: 'build' | 'cancelBuild' | 'delete') => (image: ImageRecord) => {
    if (!image.can?.[imageRight[action]]) return common('batch.notAllowed');
    return allowedImageActions(image).includes(action) ? undefined : common('batch.notNow');
  };

  const list: ListDefinition<'images'> = {
    ...imageQuestion,
    title: t('title'),
    searchLabel: t('search'),
    searchFields: ['name', 'repository'],
    rowName: (image) => image.name,
    isRowDim: (image) => !image.enabled,
    actions: <CreateButton may={mayCreate} href={paths.imageCreate} label={t('new')} />,
    filters,
    notice: <SimulatedNotice />,
    columns: [
      {
        id: 'name',
        header: common('columns.name'),
        sortKey: 'name',
        enough: 170,
        small: 'name',
        cell: (image) => <ImageName image={image} />,
      },
      {
        id: 'status',
        header: common('columns.status'),
        sortKey: 'status',
        enough: 190,
        small: 'status',
        cell: (image) => <ImageStatusLine image={image} />,
      },
      {
        id: 'reference',
        header: t('reference'),
        sortKey: 'repository',
        enough: 225,
        rank: 1,
        cell: (image) => (
          <span className="mono" title={imageReference(image)}>
            {imageReference(image)}
          </span>
        ),
      },
      {
        id: 'host',
        header: common('columns.host'),
        enough: 110,
        rank: 2,
        cell: (image) => <HostCell host={image.expand?.build_on} />,
      },
      {
        id: 'owner',
        header: common('columns.owner'),
        enough: 140,
        rank: 4,
        cell: (image) => <Person user={image.expand?.created_by} />,
      },
      {
        id: 'updated',
        header: common('columns.changed'),
        sortKey: 'updated',
        enough: 90,
        rank: 3,
        cell: (image) => <Age at={image.updated} />,
      },
    ],
    rowActions: (image) => <RowMenu image={image} onDelete={() => setLeaving([image])} />,
    batch: [
      {
        key: 'build',
        label: t('actions.build'),
        icon: <Hammer />,
        refusal: refuse('build'),
        question: (count) => ({ title: t('batch.build.title', { count }), text: t('batch.build.text') }),
        run: (images) => ask(images, 'build'),
      },
      {
        key: 'cancelBuild',
        label: t('actions.cancelBuild'),
        icon: <Ban />,
        refusal: refuse('cancelBuild'),
        question: (count) => ({ title: t('batch.cancelBuild.title', { count }), text: t('batch.cancelBuild.text') }),
        run: (images) => ask(images, 'cancelBuild'),
      },
      { key: 'delete', label: common('actions.delete'), icon: <Trash2 />, refusal: refuse('delete'), run: setLeaving },
    ],
    empty: {
      title: t('empty.title'),
      text: mayCreate === false ? t('empty.ask') : t('empty.text'),
      action: mayCreate && (
        <Button asChild variant="primary">
          <Link href={paths.imageCreate}>{t('new')}</Link>
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

function useStatusFilter() {
  const common = useTranslations('common');
  return {
    key: 'status',
    label: common('filters.status'),
    icon: <Activity aria-hidden="true" />,
    options: IMAGE_STATUSES.map((status) => ({ value: status, label: common(`imageStatus.${status}`) })),
    term: fieldTerm('status'),
    toFilter: (value: string) => fieldIs('status', value),
  };
}

const isInMenu = (action: ImageAction): action is Exclude<ImageAction, 'delete' | 'useTemplate'> =>
  action !== 'delete' && action !== 'useTemplate';

function RowMenu({ image, onDelete }: { image: ImageRecord; onDelete: () => void }) {
  const t = useTranslations('pages.images.actions');
  const common = useTranslations('common.actions');
  const { ask } = useImageActions();
  const actions = allowedImageActions(image)
    .filter((action) => image.can?.[imageRight[action]])
    .filter(isInMenu);
  return (
    <Menu
      trigger={
        <IconButton size="sm" label={common('moreOf', { name: image.name })}>
          <Ellipsis className="size-4" />
        </IconButton>
      }
    >
      <MenuItem asChild>
        <Link href={paths.image(image.id)}>
          <Layers />
          {common('open')}
        </Link>
      </MenuItem>
      {actions.map((action) => (
        <MenuItem key={action} onSelect={() => void ask([image], action)}>
          {t(action)}
        </MenuItem>
      ))}
      <CopyItems imageId={image.id} />
      {image.can?.['delete'] && (
        <>
          <MenuLine />
          <MenuItem isDanger icon={<Trash2 />} onSelect={onDelete}>
            {common('delete')}
          </MenuItem>
        </>
      )}
    </Menu>
  );
}
