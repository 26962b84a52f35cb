import 'server-only';
import { builds } from './builds';
import { hosts } from '@/lib/hosts/collection';
import { images, type ImageRow } from './collection';
import { fieldError } from '@/lib/errors';
import { buildJobSpec } from './build-job';
import { getDesired, putDesired } from '@/lib/hosts/link/desired';
import { isBuildOver } from '@/lib/vocabulary/image-status';
import { jobKind } from './at-host';
import { tellBuildFollowers } from './build-log-feed';
import { tellBuildNews } from './build-news';
import { waitMessage } from '@/lib/hosts/wait-message';
import { wireNow } from '@/lib/clock';
import { actorUserId, type Actor } from '@/lib/policies/actor';
import type { WriteTransaction } from '@/lib/records/transaction';

/**
 * Queues a build, or a pull, of an image on its build host. Throws `invalid` at `build_on` when the host is gone or
 * disabled, at `template` for a template. The caller has checked the right to build and that no build is under way.
 */
export function queueBuild(tx: WriteTransaction, image: ImageRow, actor: Actor): ImageRow {
  if (image.template) throw fieldError('template', 'validation_template', "A template can't be built.");
  const host = tx.get(hosts, image.build_on);
  if (!host) throw fieldError('build_on', 'validation_missing', 'The build host of this image is gone.');
  if (!host.enabled) throw fieldError('build_on', 'validation_disabled', `Host ${host.name} is disabled.`);
  const number = image.buildNumber + 1;
  const spec = buildJobSpec(image, host);
  const build = tx.insert(builds, {
    image: image.id,
    host: host.id,
    created_by: actorUserId(actor),
    number,
    kind: spec.job,
    status: 'build_pending',
    statusMessage: waitMessage(host),
  });
  putDesired(tx, jobKind, { hostId: host.id, objectId: build.id, spec });
  const patch = { status: 'build_pending', statusMessage: waitMessage(host), buildNumber: number };
  const queued = tx.patch(images, image.id, patch) ?? image;
  tellBuildNews(tx, queued, 'queued');
  return queued;
}

/**
 * Asks the host to stop the builds of an image that are under way. They are over when the host has stopped them; one that
 * the host was never asked for, because it is gone, is over at once.
 */
export function cancelBuilds(tx: WriteTransaction, image: ImageRow): ImageRow {
  let current = image;
  for (const build of tx.find(builds, { image: image.id })) {
    if (isBuildOver(build.status)) continue;
    const job = getDesired(jobKind, build.host, build.id)?.spec;
    if (job && tx.get(hosts, build.host)) {
      tx.patch(builds, build.id, { cancelRequested: true, statusMessage: 'Being cancelled' });
      putDesired(tx, jobKind, { hostId: build.host, objectId: build.id, spec: { ...job, cancel: true } });
      current = tx.patch(images, image.id, { statusMessage: 'Being cancelled' }) ?? current;
      continue;
    }
    const gone = 'Cancelled: its host is gone';
    tx.patch(builds, build.id, {
      status: 'build_cancelled',
      cancelRequested: true,
      statusMessage: gone,
      finished: wireNow(),
    });
    tx.afterCommit.push(() => tellBuildFollowers(build.id));
    current = tx.patch(images, image.id, { status: 'build_cancelled', statusMessage: gone }) ?? current;
    tellBuildNews(tx, current, 'cancelled');
  }
  return current;
}
