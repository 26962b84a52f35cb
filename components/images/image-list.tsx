'use client';

import { Activity, Ban, Ellipsis, Hammer, Layers, Plus, Trash2 } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { ImageRecord } from '@/components/data/types';
import { Age } from '@/components/records/age';
import { useMayCreate } from '@/components/records/use-may-create';
import { initialsOf } from '@/components/records/format';
import { HostCell, SimulatedNotice } from '@/components/records/host-cell';
import { useEnabledFilter, useHostFilter, useOwnerFilter } from '@/components/records/list-filters-common';
import type { ListDefinition } from '@/components/records/list-types';
import { Person } from '@/components/records/person';
import { RecordList } from '@/components/records/record-list';
import { ImageStatusLine } from '@/components/records/resource-status';
import { Button, IconButton } from '@/components/ui/button';
import { Menu, MenuItem, MenuLine } from '@/components/ui/menu';
import { IconTile, Kbd, Tag } from '@/components/ui/parts';
import { allowedImageActions, IMAGE_STATUSES, type ImageAction } from '@/lib/vocabulary/image-status';
import { paths } from '@/lib/paths';
import { DeleteImagesDialog } from './delete-images-dialog';
import { imageRight, useImageActions } from '@/components/records/use-image-actions';
import { imageReference } from '@/lib/vocabulary/image-reference';

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
    collection: 'images',
    title: t('title'),
    searchLabel: t('search'),
    searchFields: ['name', 'repository'],
    baseFilter: 'template = false',
    expand: 'build_on,created_by',
    defaultSort: '-updated',
    rowName: (image) => image.name,
    isRowDim: (image) => !image.enabled,
    actions: (
      <Button asChild>
        <Link href={paths.imageCreate} data-key-create="">
          <Plus className="size-4" aria-hidden="true" />
          {t('new')}
          <Kbd>C</Kbd>
        </Link>
      </Button>
    ),
    filters,
    notice: <SimulatedNotice />,
    columns: [
      {
        id: 'name',
        header: common('columns.name'),
        sortKey: 'name',
        width: '20%',
        small: 'name',
        cell: (image) => <ImageName image={image} />,
      },
      {
        id: 'status',
        header: common('columns.status'),
        sortKey: 'status',
        width: '22%',
        small: 'status',
        cell: (image) => <ImageStatusLine image={image} />,
      },
      {
        id: 'reference',
        header: t('reference'),
        sortKey: 'repository',
        cell: (image) => (
          <span className="mono" title={imageReference(image)}>
            {imageReference(image)}
          </span>
        ),
      },
      {
        id: 'host',
        header: common('columns.host'),
        width: '110px',
        cell: (image) => <HostCell host={image.expand?.build_on} />,
      },
      {
        id: 'owner',
        header: common('columns.owner'),
        width: '150px',
        from: 'xl',
        cell: (image) => <Person user={image.expand?.created_by} />,
      },
      {
        id: 'updated',
        header: common('columns.changed'),
        sortKey: 'updated',
        width: '110px',
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
        run: (images) => void ask(images, 'build'),
      },
      {
        key: 'cancelBuild',
        label: t('actions.cancelBuild'),
        icon: <Ban />,
        refusal: refuse('cancelBuild'),
        run: (images) => void ask(images, 'cancelBuild'),
      },
      { key: 'delete', label: common('actions.delete'), icon: <Trash2 />, refusal: refuse('delete'), run: setLeaving },
    ],
    empty: {
      title: t('empty.title'),
      text: mayCreate ? t('empty.text') : t('empty.ask'),
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
    toFilter: (value: string) => ({ expression: 'status = {:status}', params: { status: value } }),
  };
}

function ImageName({ image }: { image: ImageRecord }) {
  const common = useTranslations('common');
  return (
    <span className="flex min-w-0 items-center gap-2.5">
      <IconTile>{initialsOf(image.name)}</IconTile>
      <Link href={paths.image(image.id)} className="text-text truncate rounded-sm font-medium hover:underline">
        {image.name}
      </Link>
      {!image.enabled && <Tag>{common('disabled')}</Tag>}
    </span>
  );
}

const isNotDelete = (action: ImageAction): action is Exclude<ImageAction, 'delete'> => action !== 'delete';

function RowMenu({ image, onDelete }: { image: ImageRecord; onDelete: () => void }) {
  const t = useTranslations('pages.images.actions');
  const common = useTranslations('common.actions');
  const { ask } = useImageActions();
  const actions = allowedImageActions(image)
    .filter((action) => image.can?.[imageRight[action]])
    .filter(isNotDelete);
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
