import 'server-only';
import { prepare } from '@/lib/records/statements';
import type { WriteTransaction } from '@/lib/records/transaction';
import type { BuildLock, LockedBase, LockedEnvironment } from '@/lib/vocabulary/build-lock';

/** What a build has resolved; undefined where it told nothing. */
export function readLock(buildId: string): BuildLock | undefined {
  const sql = 'SELECT environments FROM build_locks WHERE build = ?';
  const row = prepare<{ environments: string }>(sql).get(buildId);
  if (!row) return undefined;
  const bases = prepare<LockedBase>(
    `SELECT name, image_id AS imageId, digest FROM build_bases WHERE build = ? ORDER BY position`,
  ).all(buildId);
  return { bases, environments: JSON.parse(row.environments) as LockedEnvironment[] };
}

/** Keeps what a build has resolved, in place of what it told before. */
export function keepLock(
  tx: WriteTransaction,
  { buildId, hostId, lock }: { buildId: string; hostId: string; lock: BuildLock },
): void {
  removeLock(tx, buildId);
  const environments = JSON.stringify(lock.environments);
  tx.prepare('INSERT INTO build_locks (build, environments) VALUES (?, ?)').run(buildId, environments);
  const insert = tx.prepare(
    'INSERT INTO build_bases (build, position, host, name, image_id, digest) VALUES (?, ?, ?, ?, ?, ?)',
  );
  lock.bases.forEach(({ name, imageId, digest }, position) => {
    insert.run(buildId, position, hostId, name, imageId, digest || knownDigest(hostId, imageId));
  });
}

/** An engine tells a digest when it pulls; the builds that find the image there later are told by the first. */
function knownDigest(hostId: string, imageId: string): string {
  const sql = `SELECT digest FROM build_bases WHERE host = ? AND image_id = ? AND digest <> '' LIMIT 1`;
  return prepare<{ digest: string }>(sql).get(hostId, imageId)?.digest ?? '';
}

export function removeLock(tx: WriteTransaction, buildId: string): void {
  tx.prepare('DELETE FROM build_locks WHERE build = ?').run(buildId);
  tx.prepare('DELETE FROM build_bases WHERE build = ?').run(buildId);
}
