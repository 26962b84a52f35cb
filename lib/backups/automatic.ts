import 'server-only';
import fs from 'node:fs/promises';
import path from 'node:path';
import { settingsTable } from '@/db/schema/settings';
import { nowMs } from '@/lib/clock';
import { AppError } from '@/lib/errors';
import { log } from '@/lib/log';
import { recordAuditAlone } from '@/lib/records/audit';
import { keptUntilChange } from '@/lib/records/kept-value';
import { prepare } from '@/lib/records/statements';
import { StoreReader, write } from '@/lib/records/transaction';
import { BACKUPS_KEY, backupsSettingSchema } from '@/lib/settings/backups-setting';
import { singleton } from '@/lib/singleton';
import { describeStorageFault } from '@/lib/storage-fault';
import { type BackupSchedule, nextBackupMs } from '@/lib/vocabulary/backup-schedule';
import { createBackup } from './create-backup';
import { backupsFolder, type BackupFile, listBackups, newBackupKey } from './folder';
import { inBackupTurn } from './turn';

const PREFIX = 'berth_auto_';
/** After a failure the next try waits so long. */
const RETRY_MS = 15 * 60_000;
const FACT = 'automaticBackups';

interface Standing {
  schedule: BackupSchedule | undefined;
  /** Since when the schedule is as it is. */
  sinceMs: number;
}

const standing = keptUntilChange('backups-setting', ['settings'], (): Standing => {
  const [row] = new StoreReader().find({ name: 'settings', table: settingsTable }, { key: BACKUPS_KEY }, { limit: 1 });
  const parsed = backupsSettingSchema.safeParse(row?.value ?? {});
  const schedule = (parsed.success && parsed.data.schedule) || undefined;
  return { schedule, sinceMs: row ? Date.parse(row.updated) : 0 };
});

interface Failure {
  atMs: number;
  message: string;
}

const last = singleton('automatic-backup', () => ({ failure: undefined as Failure | undefined }));

/** Why the last backup by the schedule was not made; undefined where it was, or where none was due since the start. */
export function automaticFailure(): Failure | undefined {
  return last.failure;
}

/** Names of the backups that the schedule made: those alone go when there are more than are kept. */
export function automaticKeys(): string[] {
  const text = prepare('SELECT value FROM installation WHERE name = ?').pluck().get(FACT) as string | undefined;
  return text === undefined ? [] : (JSON.parse(text) as string[]);
}

async function keepKeys(keys: readonly string[]): Promise<void> {
  const put =
    'INSERT INTO installation (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value';
  await write((tx) => void tx.prepare(put).run(FACT, JSON.stringify(keys)));
}

/** When the next backup by the schedule is due, in milliseconds; undefined without a schedule. */
export function nextAutomaticMs(files: readonly BackupFile[]): number | undefined {
  const { schedule, sinceMs } = standing();
  if (!schedule) return undefined;
  const made = new Set(automaticKeys());
  const times = files.filter(({ key }) => made.has(key)).map(({ modified }) => Date.parse(modified));
  return nextBackupMs(schedule, Math.max(sinceMs, ...times));
}

/** Makes the backup that is due, and removes what is more than the schedule keeps. What was missed is made up once. */
export async function sweepAutomaticBackups(): Promise<void> {
  if (!standing().schedule) return;
  if (last.failure && nowMs() - last.failure.atMs < RETRY_MS) return;
  try {
    const due = nextAutomaticMs(await listBackups());
    if (due === undefined || due > nowMs()) return;
    await inBackupTurn(makeOne);
    last.failure = undefined;
  } catch (error) {
    // Somebody makes another: the next round tries again.
    if (error instanceof AppError) return;
    const message = describeStorageFault(error) ?? 'The backup could not be made: the log of the console says why.';
    last.failure = { atMs: nowMs(), message };
    log.error({ err: error }, 'a scheduled backup failed');
    await tell(`${PREFIX}failed`, 'failure');
  }
}

async function makeOne(): Promise<void> {
  const key = newBackupKey(PREFIX);
  await keepKeys([...automaticKeys(), key]);
  await createBackup(key);
  await tell(key, 'success');
  await removeSurplus();
}

async function removeSurplus(): Promise<void> {
  const keep = standing().schedule?.keep;
  if (keep === undefined) return;
  const made = new Set(automaticKeys());
  // Newest first.
  const there = (await listBackups()).map(({ key }) => key).filter((key) => made.has(key));
  for (const key of there.slice(keep)) await fs.rm(path.join(backupsFolder(), key), { force: true });
  await keepKeys(there.slice(0, keep));
}

function tell(name: string, outcome: 'success' | 'failure'): Promise<void> {
  return recordAuditAlone({ action: 'backup.create', outcome, on: { collection: '', record: '', name } });
}
