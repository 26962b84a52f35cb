import 'server-only';
import { wireNow } from '@/lib/clock';
import { AppError } from '@/lib/errors';
import { openHostDownload } from '@/lib/hosts/host-files';
import { requireLiveLink } from '@/lib/hosts/link/host-link';
import { log } from '@/lib/log';
import { actorUserId, system, type Actor } from '@/lib/policies/actor';
import { recordAudit } from '@/lib/records/audit';
import type { RowOf } from '@/lib/records/collection';
import { write } from '@/lib/records/transaction';
import { type volumeBackupsTable, volumesTable } from '@/db/schema/volumes';
import { requireSomeStorage, requireStorage, storageLeft } from '../quota-checks';
import { volumeBackups } from './collection';
import { makeFolder, removeFile, requireRoom } from './folder';
import { forgetOldBackups } from './forget-backups';
import { inTurn, takeVolume } from './turns';
import { writeTar } from './write-tar';

export type BackupRow = RowOf<typeof volumeBackupsTable>;
type VolumeRow = RowOf<typeof volumesTable>;

interface Wanted {
  volume: VolumeRow;
  actor: Actor;
  origin: 'asked' | 'schedule';
}

/** How long a backup may take as a whole. */
const LONGEST_MS = 12 * 3_600_000;
const GONE = 'The volume was deleted meanwhile.';

/**
 * Begins a backup and resolves with its record; `done` resolves when it has come to its end, good or bad. Throws `conflict`
 * while another of the volume goes on or there is no room, and `host_unavailable`.
 */
export async function beginBackup({
  volume,
  actor,
  origin,
}: Wanted): Promise<{ backup: BackupRow; done: Promise<void> }> {
  const leave = takeVolume(volume.id);
  try {
    requireLiveLink(volume.host);
    await makeFolder();
    await requireRoom(0);
    requireSomeStorage({ volume, actor });
    const backup = await write((tx) => {
      const row = tx.insert(volumeBackups, {
        volume: volume.id,
        created_by: actorUserId(actor),
        origin,
        status: 'running',
      });
      recordAudit(tx, { action: 'volume.backup', actor, on: nameOf(volume), details: { origin } });
      return row;
    });
    const done = inTurn(() => runBackup(backup, volume)).finally(leave);
    return { backup, done };
  } catch (error) {
    leave();
    throw error;
  }
}

async function runBackup({ id, origin }: BackupRow, volume: VolumeRow): Promise<void> {
  const { id: volumeId, host } = volume;
  // What stands in the record is for everyone who may attach the volume: it names no numbers of its owner.
  const room = { volume, actor: system };
  const signal = AbortSignal.timeout(LONGEST_MS);
  let leftAtHost = 0;
  try {
    const { bytes } = await openHostDownload(host, { kind: 'volumeRead', volumeId, path: '/' }, signal);
    async function* source(): AsyncGenerator<Buffer> {
      leftAtHost = Number(yield* bytes) || 0;
    }
    const written = await writeTar(id, source(), { leaveOutDevices: true, signal, maxBytes: storageLeft(room) });
    const leftOut = written.leftOut + leftAtHost;
    await settle(id, { ...written, leftOut, status: 'done' }, () =>
      requireStorage({ ...room, bytes: written.sizeBytes }),
    );
  } catch (error) {
    log.warn({ err: error, volumeId }, 'a backup of a volume failed');
    const statusMessage = error instanceof AppError ? error.message : 'The console could not write the backup.';
    const isUntold = (cause: unknown) => log.error({ err: cause, volumeId }, 'the end of a backup could not be noted');
    await removeFile(id).catch(isUntold);
    await settle(id, { status: 'failed', statusMessage }).catch(isUntold);
  }
  if (origin !== 'schedule') return;
  await forgetOldBackups(volumeId).catch((cause: unknown) =>
    log.warn({ err: cause, volumeId }, 'old backups of a volume could not be removed'),
  );
}

/** A record that went meanwhile takes its file along. */
async function settle(id: string, end: Partial<BackupRow>, requireRoomLeft?: () => void): Promise<void> {
  const row = await write((tx) => {
    if (!tx.get(volumeBackups, id)) return undefined;
    requireRoomLeft?.();
    return tx.patch(volumeBackups, id, { ...end, finished: wireNow() });
  });
  if (!row) await removeFile(id);
}

export function nameOf({ id, name }: { id: string; name: string }) {
  return { collection: 'volumes', record: id, name };
}

/** Keeps an uploaded tar as a backup. Throws AppError `invalid` for what is none, and as `writeTar` does; nothing stays then. */
export async function keepUpload(
  { volume, actor, body }: { volume: VolumeRow; actor: Actor; body: AsyncIterable<Buffer> },
  signal: AbortSignal,
): Promise<BackupRow> {
  await makeFolder();
  await requireRoom(0);
  requireSomeStorage({ volume, actor });
  const backup = await write((tx) => {
    if (!tx.get({ name: 'volumes', table: volumesTable }, volume.id)) throw new AppError('not_found', GONE);
    return tx.insert(volumeBackups, {
      volume: volume.id,
      created_by: actorUserId(actor),
      origin: 'upload',
      status: 'running',
    });
  });
  try {
    const maxBytes = storageLeft({ volume, actor });
    const written = await inTurn(() => writeTar(backup.id, body, { signal, maxBytes }));
    return (await write((tx) => {
      requireStorage({ volume, actor, bytes: written.sizeBytes });
      recordAudit(tx, {
        action: 'volume.uploadBackup',
        actor,
        on: nameOf(volume),
        details: { bytes: written.tarBytes },
      });
      return tx.patch(volumeBackups, backup.id, { ...written, status: 'done', finished: wireNow() });
    }))!;
  } catch (error) {
    await write((tx) => tx.remove(volumeBackups, backup.id));
    await removeFile(backup.id);
    throw error;
  }
}

/** What was going on when the console was stopped came to no end. */
export async function closeInterrupted(): Promise<void> {
  const words = 'The console was stopped meanwhile.';
  await write((tx) => {
    for (const { id, origin } of tx.find(volumeBackups, { status: 'running' })) {
      if (origin === 'upload') tx.remove(volumeBackups, id);
      else tx.patch(volumeBackups, id, { status: 'failed', statusMessage: words, finished: wireNow() });
    }
    for (const { id } of tx.find(volumeBackups, { restoreStatus: 'running' })) {
      const restoreMessage = `${words} The volume is as it was, or as the backup has it: never in between.`;
      tx.patch(volumeBackups, id, { restoreStatus: 'failed', restoreMessage, restoredAt: wireNow() });
    }
  });
}
