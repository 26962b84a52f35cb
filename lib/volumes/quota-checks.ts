import 'server-only';
import { volumeBackupsTable, volumesTable } from '@/db/schema/volumes';
import { AppError, type FieldProblem, type FieldProblems } from '@/lib/errors';
import type { Actor } from '@/lib/policies/actor';
import { Quota } from '@/lib/quotas/refusals';
import { holdStorage } from '@/lib/quotas/usage';
import type { CheckContext, RowOf } from '@/lib/records/collection';
import { type StoreReader, write } from '@/lib/records/transaction';

type VolumeRow = RowOf<typeof volumesTable>;
type Asked = { volume: Pick<VolumeRow, 'created_by' | 'sizeBytes'>; actor: Actor };

const volumes = { name: 'volumes', table: volumesTable };
const volumeBackups = { name: 'volume_backups', table: volumeBackupsTable };

/** No new volume where no room is left, and none is handed to somebody who has too little for it. */
export function checkStorage({ tx, actor, row, before }: CheckContext<VolumeRow>): FieldProblems {
  if (before?.created_by === row.created_by) return {};
  const quota = new Quota({ ownerId: row.created_by, actor });
  const problem = before ? quota.refuse('storageBytes', { before: 0, after: storedOf(tx, row) }) : quota.refuseMore();
  return problem ? { quota: problem } : {};
}

function storedOf(tx: StoreReader, { id, sizeBytes }: VolumeRow): number {
  const backups = tx.findParts(volumeBackups, ['sizeBytes'], { volume: id });
  return backups.reduce((sum, backup) => sum + backup.sizeBytes, sizeBytes);
}

/** Throws AppError `invalid` where the owner of a volume has no room for anything more. */
export function requireSomeStorage({ volume, actor }: Asked): void {
  refuse(new Quota({ ownerId: volume.created_by, actor }).refuseMore());
}

/** Throws AppError `invalid` where the owner of a volume has no room for so many more bytes. */
export function requireStorage({ volume, actor, bytes }: Asked & { bytes: number }): void {
  refuse(new Quota({ ownerId: volume.created_by, actor }).refuse('storageBytes', { before: 0, after: bytes }));
}

/** Throws AppError `invalid` where what is in a volume would become more than its owner has room for. */
export function requireStorageInstead({ volume, actor, bytes }: Asked & { bytes: number }): void {
  requireStorage({ volume, actor, bytes: Math.max(0, bytes - volume.sizeBytes) });
}

/** How many more bytes the owner of a volume may store; undefined for no bound. */
export function storageLeft({ volume, actor }: Asked): number | undefined {
  return new Quota({ ownerId: volume.created_by, actor }).left('storageBytes');
}

interface Sent extends Asked {
  volume: VolumeRow;
  /** Of what is sent. */
  bytes: number;
}

/**
 * Does what sends so many bytes into a volume, while they count as stored. Afterwards they do, until the volume is measured
 * again: that may be too many where they took the place of others. Throws AppError `invalid` where there is no room.
 */
export async function whileStored<T>({ volume, actor, bytes }: Sent, send: () => Promise<T>): Promise<T> {
  requireStorage({ volume, actor, bytes });
  const letGo = holdStorage(volume.created_by, bytes);
  try {
    const sent = await send();
    await write((tx) => {
      const now = tx.get(volumes, volume.id);
      if (now) tx.observe(volumes, volume.id, { sizeBytes: now.sizeBytes + bytes });
      letGo();
    });
    return sent;
  } finally {
    letGo();
  }
}

function refuse(problem: FieldProblem | undefined): void {
  if (problem) throw new AppError('invalid', problem.message, { fields: { quota: problem } });
}
