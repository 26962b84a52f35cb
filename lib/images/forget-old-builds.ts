import 'server-only';
import { workspacesTable } from '@/db/schema/workspaces';
import { putDesired } from '@/lib/hosts/link/desired';
import { listSpeakingOf } from '@/lib/hosts/link/desired-objects';
import { newId } from '@/lib/ids';
import { ownTag } from '@/lib/protocol/image-names';
import type { WriteTransaction } from '@/lib/records/transaction';
import { limits } from '@/lib/vocabulary/limits';
import { jobKind } from './at-host';
import { listenToBuildNews } from './build-news';
import { builds } from './builds';
import type { ImageRow } from './collection';

const REMOVE_TIMEOUT_MS = 10 * 60_000;
/** Old ones that go with a new one: few enough to hold up nobody where many were kept. */
const AT_ONCE = 20;

/** Has the hosts keep the last good builds of each image, so that workspaces can go back to them, and let go of older ones. */
export function registerForgetting(): void {
  listenToBuildNews((tx, { image, state }) => {
    if (state === 'built') forgetOldBuilds(tx, image);
  });
}

function forgetOldBuilds(tx: WriteTransaction, image: ImageRow): void {
  const match = { image: image.id, status: 'build_finished', isGone: false } as const;
  const limit = limits.buildsKeptOnHost + AT_ONCE;
  const good = tx.find(builds, match, { orderBy: 'number', descending: true, limit });
  for (const build of good.slice(limits.buildsKeptOnHost)) {
    const tag = ownTag(image.id, build.number);
    if (isInUse(tx, { image, number: build.number, hostId: build.host, tag })) continue;
    tx.patch(builds, build.id, { isGone: true });
    putDesired(tx, jobKind, {
      hostId: build.host,
      objectId: newId(),
      spec: {
        job: 'remove-image',
        imageId: image.id,
        reference: tag,
        engineImageId: build.imageId,
        timeoutMs: REMOVE_TIMEOUT_MS,
        cancel: false,
      },
    });
  }
}

/** Whether a workspace was rolled back to it, or its host is asked to run it. */
function isInUse(
  tx: WriteTransaction,
  { image, number, hostId, tag }: { image: ImageRow; number: number; hostId: string; tag: string },
): boolean {
  const pinned = { image: image.id, imageBuild: number };
  if (tx.find({ name: 'workspaces', table: workspacesTable }, pinned, { limit: 1 }).length > 0) return true;
  return listSpeakingOf(hostId, 'workspace', tag).length > 0;
}
