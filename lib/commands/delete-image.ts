import 'server-only';
import { builds } from '@/lib/collections/builds';
import { hosts } from '@/lib/collections/hosts';
import { imagePermissions } from '@/lib/collections/image-permissions';
import { images } from '@/lib/collections/images';
import { workspaces } from '@/lib/collections/workspaces';
import { fieldError } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { imageReference } from '@/lib/domain/workspace-spec';
import { getDesired, putDesired } from '@/lib/hosts/desired';
import { isOver } from '@/lib/hosts/job-events';
import type { ImageRow } from '@/lib/hosts/workspace-deploys';
import type { WriteTransaction } from '@/lib/records/transaction';
import { removeBuildLog } from '@/lib/stores/build-logs';

const REMOVE_TIMEOUT_MS = 10 * 60_000;

/**
 * Asks the build host to remove an image, and removes its record with its builds. Throws `invalid` while a workspace uses
 * it. A build under way is cancelled. The caller has checked the right.
 */
export function deleteImage(tx: WriteTransaction, image: ImageRow): void {
  prepareImageDelete(tx, image);
  tx.remove(images, image.id);
  for (const { id } of tx.find(imagePermissions, { image: image.id })) tx.remove(imagePermissions, id);
}

/** Everything that has to happen before an image's record goes. Throws `invalid` while a workspace uses it. */
export function prepareImageDelete(tx: WriteTransaction, image: ImageRow): void {
  requireUnused(tx, image);
  for (const build of tx.find(builds, { image: image.id })) {
    const job = isOver(build.status) ? undefined : getDesired(build.host, 'job', build.id)?.spec;
    if (job) putDesired(tx, { hostId: build.host, kind: 'job', objectId: build.id, spec: { ...job, cancel: true } });
    removeBuildLog(build.id);
    tx.remove(builds, build.id);
  }
  if (image.imageId === '' || !tx.get(hosts, image.build_on)) return;
  putDesired(tx, {
    hostId: image.build_on,
    kind: 'job',
    objectId: newId(),
    spec: {
      job: 'remove-image',
      imageId: image.id,
      reference: imageReference(image),
      engineImageId: image.imageId,
      timeoutMs: REMOVE_TIMEOUT_MS,
      cancel: false,
    },
  });
}

function requireUnused(tx: WriteTransaction, image: ImageRow): void {
  const users = tx.find(workspaces, { image: image.id });
  if (users.length === 0) return;
  const names = users.slice(0, 5).map(({ name }) => name);
  const others = users.length > names.length ? ` and ${users.length - names.length} more` : '';
  throw fieldError('image', 'validation_image_in_use', `Image ${image.name} is used by ${names.join(', ')}${others}.`);
}
