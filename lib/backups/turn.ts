import 'server-only';
import path from 'node:path';
import Database from 'better-sqlite3';
import { env } from '@/lib/env';
import { AppError } from '@/lib/errors';
import { singleton } from '@/lib/singleton';
import { storageCodeOf } from '@/lib/storage-fault';

const turn = singleton('backup-turn', () => ({ isTaken: false }));

/** Whether a backup is being made or restored by this process. */
export function isBackupRunning(): boolean {
  return turn.isTaken;
}

/**
 * Runs one backup or restore; throws AppError `invalid` while another runs, in this process or in one of the command line. The
 * lock between them is the system's own, so it ends with the process, however that ends.
 */
export async function inBackupTurn<T>(work: () => Promise<T>): Promise<T> {
  if (turn.isTaken) throw taken();
  turn.isTaken = true;
  try {
    const lock = takeLock();
    try {
      return await work();
    } finally {
      lock.close();
    }
  } finally {
    turn.isTaken = false;
  }
}

function takeLock(): Database.Database {
  const lock = new Database(path.join(env().dataDir, 'backup.lock'), { timeout: 0 });
  try {
    return lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    throw storageCodeOf(error)?.startsWith('SQLITE_BUSY') ? taken() : error;
  }
}

function taken(): AppError {
  return new AppError('invalid', 'Try again later - another backup/restore process has already been started.');
}
