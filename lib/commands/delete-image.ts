import 'server-only';
import { builds } from '@/lib/collections/builds';
import { hosts } from '@/lib/collections/hosts';
import { images } from '@/lib/collections/images';
import { newId } from '@/lib/ids';
import { imageReference } from '@/lib/domain/workspace-spec';
import { getDesired, putDesired } from '@/lib/hosts/desired';
import { isOver } from '@/lib/hosts/job-events';
import type { ImageRow } from '@/lib/hosts/workspace-deploys';
import { system } from '@/lib/policies/actor';
import { removeInside } from '@/lib/records/remover';
import type { WriteTransaction } from '@/lib/records/transaction';
import { removeBuildLog } from '@/lib/stores/build-logs';

const REMOVE_TIMEOUT_MS = 10 * 60_000;

/**
 * Asks the build host to remove an image, and removes its record with its builds and permissions. Throws `invalid` while
 * a workspace uses it. A build under way is cancelled. The caller has checked the right.
 */
export function deleteImage(tx: WriteTransaction, image: ImageRow): void {
  removeBuilds(tx, image);
  removeFromHost(tx, image);
  removeInside(images, { actor: system, tx, row: image });
}

function removeBuilds(tx: WriteTransaction, image: ImageRow): void {
  for (const build of tx.find(builds, { image: image.id })) {
    const job = isOver(build.status) ? undefined : getDesired(build.host, 'job', build.id)?.spec;
    if (job) putDesired(tx, { hostId: build.host, kind: 'job', objectId: build.id, spec: { ...job, cancel: true } });
    removeBuildLog(tx, build.id);
    tx.remove(builds, build.id);
  }
}

function removeFromHost(tx: WriteTransaction, image: ImageRow): void {
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
