import 'server-only';
import { AppError } from '@/lib/errors';
import { getDesired } from '@/lib/hosts/link/desired';
import type { JobLockRequest } from '@/lib/protocol/calls';
import { write } from '@/lib/records/transaction';
import type { BuildLock, LockedEnvironment } from '@/lib/vocabulary/build-lock';
import { isBuildOver } from '@/lib/vocabulary/image-status';
import { jobKind } from '../at-host';
import { builds } from '../builds';
import { keepLock } from './kept-locks';
import { readLockText } from './lock-text';

const DIGEST = /^sha256:[0-9a-f]{64}$/;

/**
 * Keeps what a build of this host has resolved, of the environments that it was asked for. Throws `not_found` for any other job,
 * and for one that is over.
 */
export function takeJobLock(hostId: string, jobId: string, told: JobLockRequest): Promise<void> {
  const environments = told.environments.map(readEnvironment);
  return write((tx) => {
    const build = tx.get(builds, jobId);
    const spec = getDesired(jobKind, hostId, jobId)?.spec;
    const isAsked = build?.host === hostId && !isBuildOver(build.status) && spec?.job === 'build';
    if (!isAsked) throw new AppError('not_found', 'This host has no such job.');
    const names = (spec.lock ?? []).map(({ environment }) => environment);
    const lock: BuildLock = {
      bases: told.bases.flatMap(({ from, imageId, digest }) => {
        const isOurs = (spec.bases ?? []).some((base) => base.from === from);
        return isOurs && DIGEST.test(imageId)
          ? [{ name: from, imageId, digest: DIGEST.test(digest) ? digest : '' }]
          : [];
      }),
      environments: names.map((name) => environments.find((each) => each.name === name) ?? untold(name)),
    };
    keepLock(tx, { buildId: jobId, hostId, lock });
    tx.patch(builds, jobId, { hasLock: true });
  });
}

function readEnvironment({ name, text, problem }: JobLockRequest['environments'][number]): LockedEnvironment {
  if (problem === '') return readLockText(name, text);
  return { name, python: '', packages: [], problem: `It could not be read: ${problem}.` };
}

function untold(name: string): LockedEnvironment {
  return { name, python: '', packages: [], problem: 'The host did not tell it.' };
}
