import 'server-only';
import { AppError, fieldError, NOT_FOUND_MESSAGE } from '@/lib/errors';
import type { Actor } from '@/lib/policies/actor';
import { requireAct } from '@/lib/records/acts';
import { StoreReader } from '@/lib/records/transaction';
import { type BuildLock, isWhole } from '@/lib/vocabulary/build-lock';
import { builds } from '../builds';
import type { ImageRow } from '../collection';
import { readLock } from './kept-locks';

/** What a good build has resolved. Throws `not_found` without view on its image, or where nothing is kept of it. */
export function lockOfBuild(actor: Actor, buildId: string): { number: number; lock: BuildLock } {
  const reader = new StoreReader();
  const build = requireAct(actor, { collection: builds, id: buildId, act: 'view', reader });
  const lock = build.status === 'build_finished' ? readLock(build.id) : undefined;
  if (!lock) throw new AppError('not_found', NOT_FOUND_MESSAGE);
  return { number: build.number, lock };
}

/** The lock that a build of an image is to keep to. Throws `invalid` at `lockOf` where there is none, or it is not whole. */
export function requireLock(reader: StoreReader, image: ImageRow, number: number): BuildLock {
  const refuse = (words: string) => fieldError('lockOf', 'validation_no_lock', words);
  if (image.creationType !== 'generateDockerfile') throw refuse('Only a generated image is built from a lock.');
  const [build] = reader.find(builds, { image: image.id, number }, { limit: 1 });
  const lock = build?.status === 'build_finished' ? readLock(build.id) : undefined;
  if (!lock) throw refuse(`Nothing is kept of what build ${number} has resolved.`);
  const broken = lock.environments.find(({ problem }) => problem !== '');
  if (!isWhole(lock) && broken) {
    throw refuse(`Nobody knows what environment ${broken.name} of build ${number} has. ${broken.problem}`);
  }
  return lock;
}
