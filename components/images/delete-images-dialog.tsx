'use client';

import { Boxes, Hammer, Layers, Shield } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useRecordCount, useRecordList, useRefresh } from '@/components/data/records';
import type { ImageRecord } from '@/components/data/types';
import { useTell } from '@/components/data/use-tell';
import { DeleteDialog, type DeletePart } from '@/components/records/delete-dialog';
import { requestImage } from '@/components/records/use-image-actions';
import { paths } from '@/lib/paths';
import { imageReference } from '@/lib/vocabulary/image-reference';

/** Workspaces that are named; the others are counted. */
const SHOWN_USERS = 8;

interface DeleteImagesDialogProps {
  images: ImageRecord[];
  onClose: () => void;
  onDone?: () => void;
}

/** Deletes one image, by its name, or several, by their number. */
export function DeleteImagesDialog({ images, onClose, onDone }: DeleteImagesDialogProps) {
  const t = useTranslations('pages.images.deletion');
  const common = useTranslations('common');
  const tell = useTell();
  const refresh = useRefresh();
  const one = images.length === 1 ? images[0] : undefined;
  const id = one?.id ?? '';
  const isEnabled = one !== undefined;
  const permissions = useRecordCount('image_permissions', `image = '${id}'`, { isEnabled }) ?? 0;
  const filter = images.map((image) => `image = '${image.id}'`).join(' || ');
  const users = useRecordList('workspaces', { page: 1, perPage: SHOWN_USERS, filter, sort: 'name' });
  const used = users.data?.totalItems ?? 0;
  const isTemplates = images.every(({ template }) => template);

  async function remove() {
    for (const image of images) await requestImage(image.id, 'delete');
    tell.done(t('asked', { count: images.length, name: one?.name ?? '' }));
    await refresh('images');
    onDone?.();
  }

  const gone: DeletePart[] = one
    ? [
        {
          icon: <Layers />,
          name: imageReference(one),
          ...(one.expand?.build_on ? { detail: t('onHost', { host: one.expand.build_on.name }) } : {}),
        },
        ...(one.buildNumber > 0 ? [{ icon: <Hammer />, name: t('builds', { count: one.buildNumber }) }] : []),
        ...(permissions > 0 ? [{ icon: <Shield />, name: common('delete.permissions', { count: permissions }) }] : []),
      ]
    : images.map((image) => ({ icon: <Layers />, name: image.name, detail: imageReference(image) }));

  return (
    <DeleteDialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={
        one ? t('title', { name: one.name }) : t(isTemplates ? 'titleTemplates' : 'titleMany', { count: images.length })
      }
      text={used > 0 ? t('used', { count: used, images: images.length }) : t(isTemplates ? 'textTemplates' : 'text')}
      verification={one ? one.name : String(images.length)}
      confirmLabel={t(isTemplates ? 'buttonTemplates' : 'button', { count: images.length })}
      gone={gone}
      isAsking={users.isPending}
      blockers={[
        ...(users.data?.items ?? []).map((workspace) => ({
          icon: <Boxes />,
          name: workspace.name,
          href: paths.workspace(workspace.id),
        })),
        ...(used > SHOWN_USERS ? [{ icon: <Boxes />, name: t('usedMore', { count: used - SHOWN_USERS }) }] : []),
      ]}
      onDelete={remove}
    />
  );
}
