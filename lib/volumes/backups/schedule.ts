import 'server-only';
import { volumesTable } from '@/db/schema/volumes';
import { nowMs, toWireDate } from '@/lib/clock';
import { AppError } from '@/lib/errors';
import { hostLinks } from '@/lib/hosts/link/links';
import { log } from '@/lib/log';
import { system } from '@/lib/policies/actor';
import type { RowOf } from '@/lib/records/collection';
import { prepare } from '@/lib/records/statements';
import { StoreReader, write } from '@/lib/records/transaction';
import { nextBackupMs } from '@/lib/vocabulary/backup-schedule';
import { volumeBackups } from './collection';
import { beginBackup } from './create-backup';
import { forgetOldBackups } from './forget-backups';
import { isVolumeBusy } from './turns';

type VolumeRow = RowOf<typeof volumesTable>;
const volumes = { name: 'volumes', table: volumesTable };

/** A host that is away may come back: a backup that is due waits so long for it, and then has failed. */
const HOST_PATIENCE_MS = 15 * 60_000;
const AT_ONCE = 50;
const DUE = `SELECT id FROM volumes WHERE next_backup_at != '' AND next_backup_at <= ? ORDER BY next_backup_at LIMIT ?`;

const startedMs = nowMs();

/** Begins the backups that are due. What was missed while the console was down is made up once. */
export async function sweepDueBackups(): Promise<void> {
  const due = prepare(DUE).pluck().all(toWireDate(nowMs()), AT_ONCE) as string[];
  for (const id of due) {
    const volume = new StoreReader().get(volumes, id);
    if (volume && !isVolumeBusy(id) && !maySoon(volume)) await begin(volume);
  }
}

/** Whether the host is away for so short a time that waiting is better than a failure. */
function maySoon({ host, nextBackupAt }: VolumeRow): boolean {
  if (hostLinks.get(host)) return false;
  const sinceMs = Math.max(Date.parse(nextBackupAt.replace(' ', 'T')), startedMs);
  return nowMs() - sinceMs < HOST_PATIENCE_MS;
}

async function begin(volume: VolumeRow): Promise<void> {
  const { backupSchedule } = volume;
  if (!backupSchedule) return;
  const nextBackupAt = toWireDate(nextBackupMs(backupSchedule, nowMs()));
  await write((tx) => tx.observe(volumes, volume.id, { nextBackupAt }));
  try {
    const { done } = await beginBackup({ volume, actor: system, origin: 'schedule' });
    done.catch((error: unknown) => log.error({ err: error }, 'a scheduled backup failed'));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const failed = { volume: volume.id, origin: 'schedule', status: 'failed', statusMessage: error.message };
    await write((tx) => tx.insert(volumeBackups, { ...failed, finished: toWireDate(nowMs()) }));
    await forgetOldBackups(volume.id);
  }
}
