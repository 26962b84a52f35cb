import 'server-only';
import fs from 'node:fs/promises';
import path from 'node:path';
import { env } from '@/lib/env';
import { storageCodeOf } from '@/lib/storage-fault';
import { failed, fine, type Verdict, warning } from '@/lib/verdict';
import { sizeWords } from './check';
import { lookThroughDatabase } from './look-through';

const LOOK_LIMIT_MS = 6000;
/** Below this little can be done any more. */
const FULL_BYTES = 200 * 1024 * 1024;
const SPARE_BYTES = 500 * 1024 * 1024;

const RESTORE = 'Stop the console, keep a copy of the data folder, and restore a backup: `npm run berth -- restore`.';

/** Whether the database is whole; `probe` says what refuses to write to it, or nothing. */
export async function checkDatabase(probe: () => Promise<string>, limitMs = LOOK_LIMIT_MS): Promise<Verdict> {
  const fault = await probe();
  if (fault !== '') return failed(fault, 'Free some space, or make the data folder writable again.');
  try {
    const found = await lookThroughDatabase(limitMs);
    const size = sizeWords(await databaseBytes());
    if (found === undefined)
      return fine(`The database (${size}) can be written. It is too large to look through here.`);
    return found === 'ok' ? fine(`The database (${size}) is whole and can be written.`) : damaged(found);
  } catch (error) {
    if (/^SQLITE_(CORRUPT|NOTADB)/.test(storageCodeOf(error) ?? '')) return damaged((error as Error).message);
    throw error;
  }
}

export function damaged(found: string): Verdict {
  return failed(`The database is damaged: ${found}.`, RESTORE);
}

async function databaseBytes(): Promise<number> {
  const sizes = ['berth.db', 'berth.db-wal'].map((name) =>
    fs.stat(path.join(env().dataDir, name)).then(
      ({ size }) => size,
      () => 0,
    ),
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** Whether the disk has room for a backup and for the copy that an upgrade makes. */
export async function checkDisk(): Promise<Verdict> {
  const { bavail, bsize } = await fs.statfs(env().dataDir);
  const free = bavail * bsize;
  const needed = (await databaseBytes()) * 2 + SPARE_BYTES;
  const cure = 'Free some space, delete old backups, or give the data folder a larger disk.';
  if (free < FULL_BYTES)
    return failed(`The disk of the data folder is all but full: ${sizeWords(free)} are free.`, cure);
  if (free >= needed) return fine(`${sizeWords(free)} are free.`);
  return warning(
    `${sizeWords(free)} are free; a backup and the copy before an upgrade take up to ${sizeWords(needed)}.`,
    cure,
  );
}

/** Whether what opens every secret is there, and for the console alone. */
export async function checkSecretKey(): Promise<Verdict> {
  const { secret, dataDir } = env();
  if (secret !== undefined)
    return fine('The secret is BERTH_SECRET of the environment. Keep a copy of it beside the backups.');
  const file = path.join(dataDir, 'secret.key');
  const stats = await fs.stat(file).catch(() => undefined);
  if (!stats) {
    return failed(
      `There is no ${file}: the console does not start again without it.`,
      'Put back the one from a backup.',
    );
  }
  if ((stats.mode & 0o077) !== 0) {
    return warning(
      `Other users of this machine may read ${file}, which opens every secret.`,
      `Run \`chmod 600 ${file}\`.`,
    );
  }
  return fine('secret.key is there, and only the console can read it.');
}
