import 'server-only';
import { builds } from './builds';
import { hosts } from '@/lib/hosts/collection';
import { images, type ImageRow } from './collection';
import { imageReference } from '@/lib/vocabulary/image-reference';
import { newId } from '@/lib/ids';
import { getDesired, putDesired } from '@/lib/hosts/link/desired';
import { isBuildOver } from '@/lib/vocabulary/image-status';
import { jobKind } from './at-host';
import { type Actor, system } from '@/lib/policies/actor';
import { removeInside } from '@/lib/records/remover';
import { recordAudit } from '@/lib/records/audit';
import { registerDeleteThrough } from '@/lib/records/hooks';
import { write, type WriteTransaction } from '@/lib/records/transaction';
import { normalizedText, ownRepository, ownTag } from '@/lib/protocol/image-names';
import { removeBuildLog } from './build-logs';
import { removeLock } from './locks/kept-locks';

const REMOVE_TIMEOUT_MS = 10 * 60_000;

/**
 * Asks the build host to remove an image, and removes its record with its builds and permissions. Throws `invalid` while
 * a workspace uses it. A build under way is cancelled. The caller has checked the right.
 */
export function deleteImage(tx: WriteTransaction, image: ImageRow, actor: Actor): void {
  // Asked as who deletes it: the refusal names what they may see.
  images.hooks.beforeDelete?.({ actor, tx, row: image });
  removeBuilds(tx, image);
  removeFromHost(tx, image);
  removeInside(images, { actor: system, tx, row: image });
}

function removeBuilds(tx: WriteTransaction, image: ImageRow): void {
  for (const build of tx.find(builds, { image: image.id })) {
    const job = isBuildOver(build.status) ? undefined : getDesired(jobKind, build.host, build.id)?.spec;
    if (job) putDesired(tx, jobKind, { hostId: build.host, objectId: build.id, spec: { ...job, cancel: true } });
    removeBuildLog(tx, build.id);
    removeLock(tx, build.id);
    tx.remove(builds, build.id);
  }
}

function removeFromHost(tx: WriteTransaction, image: ImageRow): void {
  // A build that is under way, or was given up, may yet leave something.
  const mayBeThere = image.imageId !== '' || image.buildNumber > 0;
  if (!mayBeThere || !tx.get(hosts, image.build_on)) return;
  const isShared = isUsedByOthers(tx, image);
  putDesired(tx, jobKind, {
    hostId: image.build_on,
    objectId: newId(),
    spec: {
      job: 'remove-image',
      imageId: image.id,
      repository: ownRepository(image.id),
      // What an older agent built has the chosen name on the host.
      reference: isShared ? ownTag(image.id, image.buildNumber) : imageReference(image),
      engineImageId: isShared ? '' : image.imageId,
      timeoutMs: REMOVE_TIMEOUT_MS,
      cancel: false,
    },
  });
}

/** Whether another image of the host has the same name in another spelling, or is the same to the engine. */
function isUsedByOthers(tx: WriteTransaction, image: ImageRow): boolean {
  const parts = ['id', 'creationType', 'dockerImageName', 'repository', 'tag', 'imageId'] as const;
  const name = normalizedText(imageReference(image));
  const others = tx.findParts(images, parts, { build_on: image.build_on }).filter(({ id }) => id !== image.id);
  if (others.some((other) => other.imageId === image.imageId || normalizedText(imageReference(other)) === name))
    return true;
  const same = tx.find(builds, { host: image.build_on, imageId: image.imageId });
  return same.some((build) => build.image !== image.id);
}

/** The record API's deletes go over the host. It has checked the right; the record is read again inside the transaction. */
export function registerImageDeletes(): void {
  registerDeleteThrough('images', ({ actor, row }) =>
    write((tx) => {
      const image = tx.get(images, String(row.id));
      if (!image) return;
      deleteImage(tx, image, actor);
      const on = { collection: 'images', record: image.id, name: image.name };
      recordAudit(tx, { action: 'image.delete', actor, on });
    }),
  );
}
