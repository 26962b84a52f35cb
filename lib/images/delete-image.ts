import 'server-only';
import { builds } from './builds';
import { hosts } from '@/lib/hosts/collection';
import { images, type ImageRow } from './collection';
import { imageReference } from '@/lib/vocabulary/image-reference';
import { newId } from '@/lib/ids';
import { getDesired, putDesired } from '@/lib/hosts/link/desired';
import { isBuildOver } from '@/lib/vocabulary/image-status';
import { jobKind } from './at-host';
import { system } from '@/lib/policies/actor';
import { removeInside } from '@/lib/records/remover';
import { recordAudit } from '@/lib/records/audit';
import { registerDeleteThrough } from '@/lib/records/hooks';
import { write, type WriteTransaction } from '@/lib/records/transaction';
import { removeBuildLog } from './build-logs';

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
    const job = isBuildOver(build.status) ? undefined : getDesired(jobKind, build.host, build.id)?.spec;
    if (job) putDesired(tx, jobKind, { hostId: build.host, objectId: build.id, spec: { ...job, cancel: true } });
    removeBuildLog(tx, build.id);
    tx.remove(builds, build.id);
  }
}

function removeFromHost(tx: WriteTransaction, image: ImageRow): void {
  if (image.imageId === '' || !tx.get(hosts, image.build_on)) return;
  putDesired(tx, jobKind, {
    hostId: image.build_on,
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

/** The record API's deletes go over the host. It has checked the right; the record is read again inside the transaction. */
export function registerImageDeletes(): void {
  registerDeleteThrough('images', ({ actor, row }) =>
    write((tx) => {
      const image = tx.get(images, String(row.id));
      if (!image) return;
      deleteImage(tx, image);
      const on = { collection: 'images', record: image.id, name: image.name };
      recordAudit(tx, { action: 'image.delete', actor, on });
    }),
  );
}
