'use client';

import { Ban, Ellipsis, Hammer, Layers, Power, Trash2 } from 'lucide-react';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useRecord } from '@/components/data/records';
import type { ImageRecord } from '@/components/data/types';
import { DetailHead } from '@/components/records/detail-head';
import { HostNotices } from '@/components/records/host-notices';
import { PermissionsEditor } from '@/components/records/permissions-editor';
import { RecordPage } from '@/components/records/record-page';
import { ImageStatusLine } from '@/components/records/resource-status';
import { useTab } from '@/components/records/use-tab';
import { Button, IconButton } from '@/components/ui/button';
import { Menu, MenuItem, MenuLine } from '@/components/ui/menu';
import { TabPanel, Tabs } from '@/components/ui/tabs';
import { allowedImageActions } from '@/lib/vocabulary/image-status';
import { paths } from '@/lib/paths';
import { DeleteImagesDialog } from './delete-images-dialog';
import { ImageOverview } from './image-overview';
import { ImageSettings } from './image-settings';
import { imageRight, useImageActions } from '@/components/records/use-image-actions';

const TABS = ['overview', 'image-settings', 'permissions', 'delete'] as const;
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
  const [tab, setTab] = useTab(TABS);
  const [isLeaving, setLeaving] = useState(false);
  const may = image.can ?? {};
  const shown = TABS.filter((each) =>
    each === 'delete' ? may['delete'] : each === 'permissions' ? may['share'] : true,
  );
  const current = shown.find((each) => each === tab) ?? 'overview';
  const host = image.expand?.build_on;
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <DetailHead
        icon={<Layers />}
        name={image.name}
        status={<ImageStatusLine image={image} />}
        place={
          <span className="text-table text-text-3">
            {host &&
              t.rich('onHost', {
                host: () => (
                  <Link href={paths.host(host.id)} className="text-text-2 rounded-sm font-medium hover:underline">
                    {host.name}
                  </Link>
                ),
              })}
            {!image.enabled && ` · ${common('disabled')}`}
          </span>
        }
        actions={<ImageActions image={image} onDelete={() => setTab('delete')} />}
      />
      <Tabs
        className="flex min-h-0 flex-1 flex-col"
        label={image.name}
        value={current}
        onValueChange={setTab}
        tabs={shown.map((each) => ({ value: each, label: t(`tabs.${each}`), isTail: each === 'delete' }))}
      >
        <HostNotices host={host} className="grid gap-2 px-6 pt-3.5 max-lg:px-4" />
        <TabPanel value="overview" className="flex min-h-0 flex-1 flex-col overflow-auto px-6 py-3.5 max-lg:px-4">
          <ImageOverview image={image} />
        </TabPanel>
        <TabPanel value="image-settings" className="flex min-h-0 flex-1 flex-col pt-3">
          <ImageSettings key={image.id} image={image} />
        </TabPanel>
        <TabPanel value="permissions" className="flex min-h-0 flex-1 flex-col">
          <PermissionsEditor
            collection="image_permissions"
            field="image"
            resourceId={image.id}
            creatorId={image.created_by}
            flags={FLAGS.map((key) => ({ key, label: common(`flags.${key}`), hint: t(`flagHints.${key}`) }))}
            implied="view"
            canEdit={may['share'] === true}
          />
        </TabPanel>
        <TabPanel value="delete" className="overflow-auto px-6 py-4 max-lg:px-4">
          <h2 className="font-semibold">{t('deletion.title', { name: image.name })}</h2>
          <p className="text-table text-text-2 mt-1 mb-3 max-w-[660px]">{t('deletion.text')}</p>
          <Button variant="danger" onClick={() => setLeaving(true)}>
            <Trash2 className="size-4" />
            {t('deletion.button', { count: 1 })}
          </Button>
        </TabPanel>
      </Tabs>
      {isLeaving && (
        <DeleteImagesDialog
          images={[image]}
          onClose={() => setLeaving(false)}
          onDone={() => router.push(paths.images)}
        />
      )}
    </div>
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
