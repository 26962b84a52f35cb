import 'server-only';
import { images, type ImageRow } from './collection';
import { allowedImageActions, type ImageAction } from '@/lib/vocabulary/image-status';
import type { Actor } from '@/lib/policies/actor';
import { recordAudit } from '@/lib/records/audit';
import { write, type WriteTransaction } from '@/lib/records/transaction';
import { cancelBuilds, queueBuild } from './build-image';
import { deleteImage } from './delete-image';
import { readFileHashes } from './file-hashes';
import { makeFromTemplate } from './use-template';
import { illegalAction } from '@/lib/records/illegal-action';
import { requireAct } from '@/lib/records/acts';

const actOf = {
  build: 'build',
  cancelBuild: 'build',
  useTemplate: 'view',
  enable: 'modify',
  disable: 'modify',
  delete: 'delete',
} as const satisfies Record<ImageAction, string>;

export interface ImageAnswer {
  id: string;
  status: string;
  /** Number of the newest build; 0 before one. */
  buildNumber: number;
}

/**
 * Does what is asked of an image, or passes it on to its build host, in one transaction. Throws `not_found` when the actor
 * can't see it, `forbidden` without the act's right, `invalid` when the action is not possible now. To use a template answers
 * the image that was made from it. `lockOf` has a build keep to what the build of that number has resolved.
 */
export async function requestImage(
  actor: Actor,
  { imageId, action, lockOf }: { imageId: string; action: ImageAction; lockOf?: number | undefined },
): Promise<ImageAnswer> {
  if (action === 'build') {
    // Nobody else has files read.
    requireAct(actor, { collection: images, id: imageId, act: actOf.build });
    await readFileHashes(imageId);
  }
  if (action === 'useTemplate') return takeTemplate(actor, imageId);
  return write((tx) => {
    const image = requireAct(actor, { collection: images, id: imageId, act: actOf[action], reader: tx });
    requirePossible(image, action);
    const after = act(tx, image, { actor, action, lockOf });
    const on = { collection: 'images', record: image.id, name: image.name };
    recordAudit(tx, { action: `image.${action}`, actor, on });
    return { id: after.id, status: after.status, buildNumber: after.buildNumber };
  });
}

async function takeTemplate(actor: Actor, imageId: string): Promise<ImageAnswer> {
  const template = requireAct(actor, { collection: images, id: imageId, act: actOf.useTemplate });
  requirePossible(template, 'useTemplate');
  const { id, status, buildNumber } = await makeFromTemplate(actor, template);
  return { id, status, buildNumber };
}

function requirePossible(image: ImageRow, action: ImageAction): void {
  const allowed = allowedImageActions(image);
  if (allowed.includes(action)) return;
  const isAboutEnabled =
    action === 'enable' || action === 'disable' || (!image.enabled && (action === 'build' || action === 'useTemplate'));
  const isAboutKind = action === 'useTemplate' ? !image.template : action === 'build' && image.template;
  const state = isAboutKind
    ? image.template
      ? 'a template'
      : 'no template'
    : isAboutEnabled
      ? image.enabled
        ? 'enabled'
        : 'disabled'
      : image.buildNumber === 0
        ? 'not built yet'
        : image.status.replace('_', ' ');
  throw illegalAction('image', { action, state, allowed });
}

function act(
  tx: WriteTransaction,
  image: ImageRow,
  { actor, action, lockOf }: { actor: Actor; action: Exclude<ImageAction, 'useTemplate'>; lockOf: number | undefined },
): ImageRow {
  switch (action) {
    case 'build':
      return queueBuild(tx, image, actor, lockOf);
    case 'cancelBuild':
      return cancelBuilds(tx, image);
    case 'delete':
      deleteImage(tx, image, actor);
      return image;
    case 'enable':
    case 'disable':
      return tx.patch(images, image.id, { enabled: action === 'enable' }) ?? image;
  }
}
