import 'server-only';
import { volumesTable } from '@/db/schema/volumes';
import { AppError } from '@/lib/errors';
import type { Actor } from '@/lib/policies/actor';
import { recordAudit } from '@/lib/records/audit';
import { listenToChanges } from '@/lib/records/changes';
import { log } from '@/lib/log';
import { write } from '@/lib/records/transaction';
import { volumeBackups } from './collection';
import { removeFile } from './folder';

/** Of failed ones by the schedule only the newest tell something. */
const FAILED_KEPT = 5;

/** Removes what a schedule made beyond the number that it keeps. What people had made stays. */
export async function forgetOldBackups(volumeId: string): Promise<void> {
  await write((tx) => {
    const keep = tx.get({ name: 'volumes', table: volumesTable }, volumeId)?.backupSchedule?.keep;
    if (keep === undefined) return;
    const made = tx.find(
      volumeBackups,
      { volume: volumeId, origin: 'schedule' },
      { orderBy: 'created', descending: true },
    );
    // One that is being restored stays until the next time.
    const done = made.filter(({ status, restoreStatus }) => status === 'done' && restoreStatus !== 'running');
    const failed = made.filter(({ status }) => status === 'failed');
    for (const { id } of [...done.slice(keep), ...failed.slice(FAILED_KEPT)]) tx.remove(volumeBackups, id);
  });
}

/** Throws AppError `conflict` for one that is being made or restored. */
export async function deleteBackup(backupId: string, actor: Actor): Promise<void> {
  await write((tx) => {
    const row = tx.get(volumeBackups, backupId);
    if (!row) return;
    if (row.status === 'running' || row.restoreStatus === 'running') {
      throw new AppError('conflict', 'The backup is being made or restored at the moment.');
    }
    const name = tx.get({ name: 'volumes', table: volumesTable }, row.volume)?.name ?? '';
    tx.remove(volumeBackups, backupId);
    const on = { collection: 'volumes', record: row.volume, name };
    recordAudit(tx, { action: 'volume.deleteBackup', actor, on, details: { backup: backupId, made: row.created } });
  });
}

/** A record that goes, also with its volume, takes its file along once that is certain. */
export function registerFileRemoval(): void {
  listenToChanges({
    onCommitted(changes) {
      for (const { collection, action, id } of changes) {
        if (collection !== volumeBackups.name || action !== 'delete') continue;
        removeFile(id).catch((error: unknown) => log.error({ err: error, id }, 'the file of a backup stayed'));
      }
    },
  });
}
