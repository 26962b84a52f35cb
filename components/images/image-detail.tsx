'use client';

import { Ban, Download, Ellipsis, Hammer, Layers, Play, Power, Trash2 } from 'lucide-react';
import dynamic from 'next/dynamic';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useRecord } from '@/components/data/records';
import type { ImageRecord } from '@/components/data/types';
import { HostNotices } from '@/components/records/host-notices';
import { OnHost } from '@/components/records/on-host';
import { permissionsTab } from '@/components/records/permissions-tab';
import { DeletePanel, RecordDetail, type DetailTab } from '@/components/records/record-detail';
import { RecordPage } from '@/components/records/record-page';
import { useMayCreate } from '@/components/records/use-may-create';
import { ImageStatusLine } from '@/components/records/resource-status';
import { Button, IconButton } from '@/components/ui/button';
import { Menu, MenuItem, MenuLine } from '@/components/ui/menu';
import { allowedImageActions } from '@/lib/vocabulary/image-status';
import { paths } from '@/lib/paths';
import { DeleteImagesDialog } from './delete-images-dialog';
import { CopyItems } from './copy-items';
import { ImageOverview } from './image-overview';
import type { ImagePartName } from './image-part';
import { imageRight, useImageActions } from '@/components/records/use-image-actions';
import { ImageTemplateHeadActions } from './template-actions';

const ImageSettings = dynamic(() => import('./image-settings').then((module) => module.ImageSettings));

const ExportDialog = dynamic(() => import('./carry/export-dialog').then((module) => module.ExportDialog));

const ImagePart = dynamic(() => import('./image-part').then((module) => module.ImagePart));

const FLAGS = ['view', 'deploy', 'build', 'modify', 'delete'] as const;
const TEMPLATE_FLAGS = ['view', 'modify', 'delete'] as const;

export function ImageDetail({ imageId }: { imageId: string }) {
  const query = useRecord('images', imageId, 'build_on,created_by');
  return (
    <RecordPage
      query={query}
      nameOf={(image) => image.name}
      listOf={({ template }) => (template ? 'templates' : undefined)}
    >
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
  const isTemplate = image.template;
  const partTab = (part: ImagePartName): DetailTab => ({
    value: part,
    label: t(`tabs.${part}`),
    look: 'form',
    panel: () => <ImagePart key={image.id} image={image} part={part} />,
  });
  const tabs: DetailTab[] = [
    {
      value: 'overview',
      label: t('tabs.overview'),
      shownIf: !isTemplate,
      panel: () => <ImageOverview image={image} />,
    },
    partTab('general-settings'),
    {
      value: 'image-settings',
      label: t('tabs.image-settings'),
      look: 'form',
      panel: () => <ImageSettings key={image.id} image={image} />,
    },
    partTab('build-host'),
    ...partsOf(image.creationType).map(partTab),
    permissionsTab(image, {
      label: t('tabs.permissions'),
      collection: 'image_permissions',
      field: 'image',
      flags: (isTemplate ? TEMPLATE_FLAGS : FLAGS).map((key) => ({
        key,
        label: common(`flags.${key}`),
        hint: isTemplate && key === 'view' ? t('templates.viewHint') : t(`flagHints.${key}`),
      })),
      implied: 'view',
    }),
    {
      value: 'delete',
      label: t('tabs.delete'),
      shownIf: may['delete'] === true,
      isTail: true,
      panel: () => (
        <DeletePanel
          title={t('deletion.title', { name: image.name })}
          text={t(isTemplate ? 'deletion.textTemplates' : 'deletion.text')}
          button={t(isTemplate ? 'deletion.buttonTemplates' : 'deletion.button', { count: 1 })}
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
        actions={(go) =>
          isTemplate ? (
            <ImageTemplateHeadActions template={image} onDelete={() => go('delete')} />
          ) : (
            <ImageActions image={image} onDelete={() => go('delete')} />
          )
        }
        notices={<HostNotices host={host} className="grid gap-2 px-6 pt-3.5 max-lg:px-4" />}
        tags={{ tags: image.tags, list: isTemplate ? paths.imageTemplates : paths.images }}
        tabs={tabs}
      />
      {isLeaving && (
        <DeleteImagesDialog
          images={[image]}
          onClose={() => setLeaving(false)}
          onDone={() => router.push(isTemplate ? paths.imageTemplates : paths.images)}
        />
      )}
    </>
  );
}

/** The parts that an image of a kind is made of, beside its settings. */
function partsOf(type: ImageRecord['creationType']): ImagePartName[] {
  if (type === 'pullAnImage') return [];
  return type === 'writeDockerfile'
    ? ['files']
    : ['python-packages', 'files', 'startup-commands', 'user-configuration'];
}

function ImageActions({ image, onDelete }: { image: ImageRecord; onDelete: () => void }) {
  const t = useTranslations('pages.images.actions');
  const common = useTranslations('common.actions');
  const { ask } = useImageActions();
  const actions = allowedImageActions(image).filter((action) => image.can?.[imageRight[action]]);
  const isPull = image.creationType === 'pullAnImage';
  const mayCreate = useMayCreate('canCreateWorkspaces');
  const mayCopy = useMayCreate('canCreateImages');
  const isBuilt = image.status === 'build_finished' && image.enabled && !image.template;
  const isStartable = isBuilt && mayCreate && image.can?.['deploy'] === true;
  const change = actions.find((action) => action === 'enable' || action === 'disable');
  const [isExporting, setExporting] = useState(false);
  return (
    <>
      {isStartable && (
        <Button asChild variant="primary">
          <Link href={paths.workspaceCreateFrom(image.id)}>
            <Play className="size-4" aria-hidden="true" />
            {t('startWorkspace')}
          </Link>
        </Button>
      )}
      {actions.includes('build') && (
        <Button variant={isStartable ? 'default' : 'primary'} onClick={() => void ask([image], 'build')}>
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
      {(change || mayCopy || !isPull || image.can?.['delete']) && (
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
          <CopyItems imageId={image.id} />
          {!isPull && (
            <MenuItem icon={<Download />} onSelect={() => setExporting(true)}>
              {t('export')}
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
      {isExporting && <ExportDialog image={image} onClose={() => setExporting(false)} />}
    </>
  );
}
