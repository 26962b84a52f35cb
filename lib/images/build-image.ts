import 'server-only';
import { builds } from './builds';
import { type HostRow, hosts } from '@/lib/hosts/collection';
import { images, type ImageRow } from './collection';
import { fieldError } from '@/lib/errors';
import { type AccountUse, findAccount, toJobAccount } from '@/lib/hosts/registry-accounts';
import type { JobSpec } from '@/lib/protocol/specs/job';
import { imageReference, isInRegistry } from '@/lib/vocabulary/image-reference';
import { hostDefaults } from '@/lib/vocabulary/limits';
import { planBuild } from './base-images';
import { buildJobSpec, pullJobSpec } from './build-job';
import { NO_IMAGES_HERE } from './checks';
import { getDesired, putDesired } from '@/lib/hosts/link/desired';
import { isBuildOver } from '@/lib/vocabulary/image-status';
import { jobKind } from './at-host';
import { requireLock } from './locks/lock-of-build';
import type { BuildLock } from '@/lib/vocabulary/build-lock';
import { tellBuildFollowers } from './build-log-feed';
import { tellBuildNews } from './build-news';
import { requireOpenHost } from '@/lib/hosts/takes-new';
import { waitMessage } from '@/lib/hosts/wait-message';
import { wireNow } from '@/lib/clock';
import { actorUserId, type Actor } from '@/lib/policies/actor';
import { may } from '@/lib/records/acts';
import type { WriteTransaction } from '@/lib/records/transaction';

/** Whether the actor may build an image where it is built. */
export function mayBuild(tx: WriteTransaction, image: ImageRow, actor: Actor): boolean {
  const host = tx.get(hosts, image.build_on);
  return may(actor, { collection: images, row: image, act: 'build' }) && !!host && mayCreateImages(host, actor);
}

function mayCreateImages(host: HostRow, actor: Actor): boolean {
  return may(actor, { collection: hosts, row: host, act: 'canCreateImages' });
}

/**
 * Queues a build, or a pull, of an image on its build host. Throws `invalid` at `build_on` when the host is gone or takes
 * nothing new, or the actor may create no images there, at `template` for a template, at `lockOf` for a build without a lock that
 * could be kept to. The caller has checked the right to build and that no build is under way.
 */
export function queueBuild(tx: WriteTransaction, image: ImageRow, actor: Actor, lockOf = 0): ImageRow {
  if (image.template) throw fieldError('template', 'validation_template', "A template can't be built.");
  const host = tx.get(hosts, image.build_on);
  if (!host) throw fieldError('build_on', 'validation_missing', 'The build host of this image is gone.');
  requireOpenHost(host, 'build_on');
  if (!mayCreateImages(host, actor)) throw fieldError('build_on', 'validation_not_allowed', NO_IMAGES_HERE);
  requireRoom(tx, host, actor);
  const number = image.buildNumber + 1;
  const lock = lockOf > 0 ? requireLock(tx, image, lockOf) : undefined;
  const spec = jobSpecOf(tx, image, { host, actor, number, lock });
  const build = tx.insert(builds, {
    image: image.id,
    host: host.id,
    created_by: actorUserId(actor),
    number,
    kind: spec.job,
    reference: isInRegistry(image) ? imageReference(image) : '',
    status: 'build_pending',
    statusMessage: waitMessage(host),
    lockOf,
  });
  putDesired(tx, jobKind, { hostId: host.id, objectId: build.id, spec });
  const patch = { status: 'build_pending', statusMessage: waitMessage(host), buildNumber: number };
  const queued = tx.patch(images, image.id, patch) ?? image;
  tellBuildNews(tx, queued, 'queued');
  return queued;
}

/** What the host is asked to do, with the accounts that the actor may use for it. Throws at the field that stands in the way. */
function jobSpecOf(
  tx: WriteTransaction,
  image: ImageRow,
  { host, actor, number, lock }: { host: HostRow; actor: Actor; number: number; lock: BuildLock | undefined },
): JobSpec {
  const options = { host, number, owner: actorUserId(actor) };
  const reference = imageReference(image);
  if (image.creationType === 'pullAnImage') {
    const account = requireAccount(host, { actor, reference, use: 'pull', field: 'dockerImageName' });
    return pullJobSpec(image, { ...options, account });
  }
  const plan = planBuild({ image, host, actor, reader: tx, lock });
  const push = image.push_after_build
    ? { reference, account: requireAccount(host, { actor, reference, use: 'push', field: 'push_after_build' }) }
    : undefined;
  return buildJobSpec(image, { ...options, plan, push });
}

function requireAccount(host: HostRow, { field, ...use }: AccountUse & { field: string }) {
  const answer = findAccount(host, use);
  if ('refusal' in answer) throw fieldError(field, 'validation_not_allowed', answer.refusal);
  return toJobAccount(answer.account);
}

/** One person may not fill a host's queue. */
function requireRoom(tx: WriteTransaction, host: HostRow, actor: Actor): void {
  const userId = actorUserId(actor);
  if (userId === '') return;
  const most = host.queued_builds_per_person || hostDefaults.queued_builds_per_person;
  const count = (status: 'build_pending' | 'building') =>
    tx.find(builds, { host: host.id, created_by: userId, status }, { limit: most }).length;
  if (count('build_pending') + count('building') < most) return;
  const words = `You have ${most} builds under way on host ${host.name}, which is the most. Wait for one, or cancel one.`;
  throw fieldError('build_on', 'validation_too_many_builds', words);
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
