'use client';

import { Ban, Ellipsis, Hammer, Layers, Power, Trash2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useRecord } from '@/components/data/records';
import type { ImageRecord } from '@/components/data/types';
import { HostNotices } from '@/components/records/host-notices';
import { PermissionsEditor } from '@/components/records/permissions-editor';
import { OnHost } from '@/components/records/on-host';
import { DeletePanel, RecordDetail, type DetailTab } from '@/components/records/record-detail';
import { RecordPage } from '@/components/records/record-page';
import { ImageStatusLine } from '@/components/records/resource-status';
import { Button, IconButton } from '@/components/ui/button';
import { Menu, MenuItem, MenuLine } from '@/components/ui/menu';
import { allowedImageActions } from '@/lib/vocabulary/image-status';
import { paths } from '@/lib/paths';
import { DeleteImagesDialog } from './delete-images-dialog';
import { ImageOverview } from './image-overview';
import { ImageSettings } from './image-settings';
import { imageRight, useImageActions } from '@/components/records/use-image-actions';

const FLAGS = ['view', 'deploy', 'build', 'modify', 'delete'] as const;

export function ImageDetail({ imageId }: { imageId: string }) {
  const query = useRecord('images', imageId, 'build_on,created_by');
  return (
    <RecordPage query={query} nameOf={(image) => image.name}>
      {(image) => <ImageView image={image} />}
    </RecordPage>
  );
}

function ImageView({ image }: { image: ImageRecord }) {
  const t = useTranslations('pages.images');
  const common = useTranslations('common');
  const router = useRouter();
  const [isLeaving, setLeaving] = useState(false);
  const may = image.can ?? {};
  const host = image.expand?.build_on;
  const tabs: DetailTab[] = [
    { value: 'overview', label: t('tabs.overview'), panel: () => <ImageOverview image={image} /> },
    {
      value: 'image-settings',
      label: t('tabs.image-settings'),
      look: 'form',
      panel: () => <ImageSettings key={image.id} image={image} />,
    },
    {
      value: 'permissions',
      label: t('tabs.permissions'),
      shownIf: may['share'] === true,
      look: 'fill',
      panel: () => (
        <PermissionsEditor
          collection="image_permissions"
          field="image"
          resourceId={image.id}
          creatorId={image.created_by}
          flags={FLAGS.map((key) => ({ key, label: common(`flags.${key}`), hint: t(`flagHints.${key}`) }))}
          implied="view"
          canEdit
        />
      ),
    },
    {
      value: 'delete',
      label: t('tabs.delete'),
      shownIf: may['delete'] === true,
      isTail: true,
      panel: () => (
        <DeletePanel
          title={t('deletion.title', { name: image.name })}
          text={t('deletion.text')}
          button={t('deletion.button', { count: 1 })}
          onDelete={() => setLeaving(true)}
        />
      ),
    },
  ];
  return (
    <>
      <RecordDetail
        icon={<Layers />}
        name={image.name}
        status={<ImageStatusLine image={image} />}
        place={<OnHost host={host} isEnabled={image.enabled} />}
        actions={(go) => <ImageActions image={image} onDelete={() => go('delete')} />}
        notices={<HostNotices host={host} className="grid gap-2 px-6 pt-3.5 max-lg:px-4" />}
        tabs={tabs}
      />
      {isLeaving && (
        <DeleteImagesDialog
          images={[image]}
          onClose={() => setLeaving(false)}
          onDone={() => router.push(paths.images)}
        />
      )}
    </>
  );
}

function ImageActions({ image, onDelete }: { image: ImageRecord; onDelete: () => void }) {
  const t = useTranslations('pages.images.actions');
  const common = useTranslations('common.actions');
  const { ask } = useImageActions();
  const actions = allowedImageActions(image).filter((action) => image.can?.[imageRight[action]]);
  const isPull = image.creationType === 'pullAnImage';
  const change = actions.find((action) => action === 'enable' || action === 'disable');
  return (
    <>
      {actions.includes('build') && (
        <Button variant="primary" onClick={() => void ask([image], 'build')}>
          <Hammer className="size-4" />
          {isPull ? t('pull') : t('build')}
        </Button>
      )}
      {actions.includes('cancelBuild') && (
        <Button onClick={() => void ask([image], 'cancelBuild')}>
          <Ban className="size-4" />
          {t('cancelBuild')}
        </Button>
      )}
      {(change || image.can?.['delete']) && (
        <Menu
          trigger={
            <IconButton variant="default" label={common('more')}>
              <Ellipsis className="size-4" />
            </IconButton>
          }
        >
          {change && (
            <MenuItem icon={<Power />} onSelect={() => void ask([image], change)}>
              {t(change)}
            </MenuItem>
          )}
          {image.can?.['delete'] && (
            <>
              <MenuLine />
              <MenuItem icon={<Trash2 />} isDanger onSelect={onDelete}>
                {common('delete')}
              </MenuItem>
            </>
          )}
        </Menu>
      )}
    </>
  );
}
