import 'server-only';
import fs from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { env } from '@/lib/env';
import { log } from '@/lib/log';
import { SecretError } from '@/lib/secrets';
import { dropSingleton, singleton } from '@/lib/singleton';
import { storageCodeOf } from '@/lib/storage-fault';
import { closeDb, getDb, OPEN_MARK } from './database';
import { UpgradeRoomError } from './migrations';
import { requireSecret } from './secret-proof';

/** How long a console that is being stopped may still hold the folder. */
const CLAIM_WAIT_MS = 5000;
/** A database up to this size is looked through at every start, a larger one after an unclean stop. */
const CHECKED_BYTES = 256 * 1024 * 1024;

/**
 * Opens the data folder for the one console that may use it. Throws an Error that says what is wrong and what to do: nothing
 * can be served without the data.
 */
export function openDataFolder(): void {
  const { dataDir } = env();
  const file = path.join(dataDir, 'berth.db');
  try {
    claimDataFolder();
    const hadLog = fs.existsSync(`${file}-wal`);
    const { sqlite } = getDb();
    const wasOpen = sqlite.pragma('user_version', { simple: true }) === OPEN_MARK;
    if (wasOpen && !hadLog) log.warn(MISSING_LOG);
    if (wasOpen || fs.statSync(file).size <= CHECKED_BYTES) refuseDamaged(sqlite);
    requireSecret(sqlite);
    sqlite.pragma(`user_version = ${OPEN_MARK}`);
    // Into the file itself: a copy of it alone then says that something is missing.
    sqlite.pragma('wal_checkpoint(TRUNCATE)');
  } catch (error) {
    throw new Error(`Berth can't start. ${describe(error, { dataDir, file })}`, { cause: error });
  }
}

/** Leaves everything in the one file `berth.db`, and lets the next console have the folder. */
export function closeDataFolder(): void {
  try {
    closeDb();
  } catch (error) {
    log.error({ err: error }, 'the database could not be closed in good order');
  }
  lock().close();
  dropSingleton('data-folder-lock');
}

const MISSING_LOG =
  'The database was not closed in good order, and its write-ahead log (berth.db-wal) is gone: was berth.db copied alone ' +
  'from a running console? What was written last may be missing. If so, stop, and restore a whole copy of the folder.';

/** The lock is the system's own, so it ends with the process, however that ends. */
function lock(): Database.Database {
  return singleton('data-folder-lock', () => {
    return new Database(path.join(env().dataDir, 'berth.lock'));
  });
}

/** Another process has the data folder. */
export class ClaimedError extends Error {}

/** Takes the data folder for this process, which may have it already. Throws a ClaimedError where another one has it. */
export function claimDataFolder(waitMs = CLAIM_WAIT_MS): void {
  const { dataDir } = env();
  fs.mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  try {
    if (lock().inTransaction) return;
    lock().pragma(`busy_timeout = ${waitMs}`);
    lock().exec('BEGIN EXCLUSIVE');
  } catch (error) {
    dropSingleton('data-folder-lock');
    if (!storageCodeOf(error)?.startsWith('SQLITE_BUSY')) throw error;
    throw new ClaimedError(
      `Another console uses the data folder ${dataDir}. Stop that one, or give this one a folder of its own.`,
    );
  }
}

class DamagedError extends Error {
  readonly code = 'SQLITE_CORRUPT';
}

function refuseDamaged(sqlite: Database.Database): void {
  const found = String(sqlite.pragma('quick_check(1)', { simple: true }));
  if (found !== 'ok') throw new DamagedError(found);
}

const RESTORE = 'Move it away and put a copy of yours in its place (docs/self-hosting.md, "Backups").';

function describe(error: unknown, { dataDir, file }: { dataDir: string; file: string }): string {
  if (error instanceof ClaimedError || error instanceof SecretError || error instanceof UpgradeRoomError) {
    return error.message;
  }
  const code = storageCodeOf(error) ?? '';
  const own = error instanceof Error ? error.message : String(error);
  if (code === 'SQLITE_NOTADB') return `${file} is no database, or was overwritten. ${RESTORE}`;
  if (code.startsWith('SQLITE_CORRUPT')) return `The database ${file} is damaged (${own}). ${RESTORE}`;
  if (/^(SQLITE_FULL|ENOSPC|EDQUOT)$/.test(code)) return `The disk of the data folder ${dataDir} is full.`;
  if (/^(SQLITE_READONLY|SQLITE_CANTOPEN|EROFS|EACCES|EPERM)/.test(code)) {
    return `The data folder ${dataDir} can't be written by user ${process.getuid?.() ?? ''} (${own}).`;
  }
  return `The data folder ${dataDir} can't be opened: ${own}`;
}
