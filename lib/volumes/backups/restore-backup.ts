import 'server-only';
import { volumesTable } from '@/db/schema/volumes';
import { workspacesTable } from '@/db/schema/workspaces';
import { wireNow } from '@/lib/clock';
import { AppError, fieldError } from '@/lib/errors';
import { hosts } from '@/lib/hosts/collection';
import { sendToHost } from '@/lib/hosts/host-files';
import { requireLiveLink } from '@/lib/hosts/link/host-link';
import { requireOpenHost } from '@/lib/hosts/takes-new';
import { log } from '@/lib/log';
import type { Actor } from '@/lib/policies/actor';
import { volumeRestoredSchema } from '@/lib/protocol/volume-streams';
import { recordAudit } from '@/lib/records/audit';
import type { RowOf } from '@/lib/records/collection';
import { StoreReader, write } from '@/lib/records/transaction';
import { requireStorageInstead } from '../quota-checks';
import { volumeBackups } from './collection';
import { type BackupRow, nameOf } from './create-backup';
import { inTurn, takeVolume } from './turns';
import { readTar } from './write-tar';

const volumes = { name: 'volumes', table: volumesTable };
const LONGEST_MS = 12 * 3_600_000;
/** In which a workspace has nothing that runs with the volume. */
const DOWN = new Set(['stopped', 'error', 'build_pending', 'building']);

interface Wanted {
  volume: RowOf<typeof volumesTable>;
  backup: BackupRow;
  actor: Actor;
  /** As somebody typed it. */
  name: string;
}

/**
 * Begins to restore a backup into its volume; `done` resolves at its end, good or bad. Throws `invalid` at `name` or where
 * the owner's quota has no room, `conflict` while a
 * workspace runs with the volume or the backup is not whole, and `host_unavailable`.
 */
export async function beginRestore({ volume, backup, actor, name }: Wanted): Promise<{ done: Promise<void> }> {
  if (name !== volume.name) throw fieldError('name', 'validation_mismatch', 'Type the name of the volume as it is.');
  if (backup.status !== 'done') throw new AppError('conflict', 'Only a backup that is whole can be restored.');
  refuseWhileRunning(volume.id);
  const leave = takeVolume(volume.id);
  try {
    requireLiveLink(volume.host);
    await write((tx) => {
      const host = tx.get(hosts, volume.host);
      if (host) requireOpenHost(host, 'volume');
      requireStorageInstead({ volume: tx.get(volumes, volume.id) ?? volume, actor, bytes: backup.tarBytes });
      tx.patch(volumeBackups, backup.id, { restoreStatus: 'running', restoreMessage: '', restoredAt: wireNow() });
      recordAudit(tx, {
        action: 'volume.restore',
        actor,
        on: nameOf(volume),
        details: { backup: backup.id, made: backup.created },
      });
    });
    return { done: inTurn(() => runRestore(backup, volume)).finally(leave) };
  } catch (error) {
    leave();
    throw error;
  }
}

/** The agent asks the engine again, which also knows containers that are not Berth's. */
function refuseWhileRunning(volumeId: string): void {
  const users = new StoreReader().findReferring(
    { name: 'workspaces', table: workspacesTable },
    { field: 'volumes', id: volumeId, multiple: true },
  );
  const running = users.filter(({ status }) => !DOWN.has(String(status)));
  if (running.length === 0) return;
  const message = `${running.length === 1 ? 'A workspace runs' : `${running.length} workspaces run`} with this volume. Stop what runs with it first.`;
  throw new AppError('conflict', message);
}

async function runRestore({ id, tarBytes }: BackupRow, { id: volumeId, host }: Wanted['volume']): Promise<void> {
  let end: Partial<BackupRow> = { restoreStatus: 'done' };
  try {
    const open = { kind: 'volumeRestore' as const, volumeId, size: tarBytes };
    const signal = AbortSignal.timeout(LONGEST_MS);
    await sendToHost(host, open, { size: tarBytes, body: readTar(id), schema: volumeRestoredSchema, signal });
  } catch (error) {
    log.warn({ err: error, volumeId }, 'a volume was not restored');
    const why = error instanceof AppError ? error.message : 'The console could not read the backup.';
    end = { restoreStatus: 'failed', restoreMessage: why };
  }
  await write((tx) => {
    tx.patch(volumeBackups, id, { ...end, restoredAt: wireNow() });
    // About what it holds now, until it is measured again.
    if (end.restoreStatus === 'done' && tx.get(volumes, volumeId))
      tx.observe(volumes, volumeId, { sizeBytes: tarBytes });
  }).catch((error: unknown) => log.error({ err: error, volumeId }, 'the end of a restore could not be noted'));
}
