import 'server-only';
import fs from 'node:fs/promises';
import path from 'node:path';
import { closeAsItIs, getDb, openAsItIs } from '@/db/database';
import { appliedHashes, isKnownMigration, listMigrations, pendingMigrations, upgradeCopyBytes } from '@/db/migrations';
import { isRestoreUnproven } from '@/db/pending-restore';
import { belongsTo } from '@/db/secret-proof';
import { env } from '@/lib/env';
import { checkBackups } from './backup-checks';
import { type Check, type CheckCode, sizeWords } from './check';
import { checkAgents } from './host-checks';
import { checkVersion } from './run-checks';
import { checkSettings } from './setting-checks';
import { checkDatabase, checkSecretKey, damaged } from './storage-checks';
import { storageCodeOf } from '@/lib/storage-fault';
import { failed, fine, type Look, runLook, type Verdict } from '@/lib/verdict';

/** A whole look through a large database takes minutes; whoever asks sits at a command line. */
const LOOK_LIMIT_MS = 15 * 60_000;

/** Whether this version opens the database, and what it would change first. */
async function checkUpgrade(): Promise<Verdict> {
  const { dataDir, upgradeWithoutCopy } = env();
  const { sqlite } = getDb();
  const migrations = listMigrations();
  if (isRestoreUnproven(dataDir)) {
    return failed(
      'A restore was cut off before its end.',
      'Start the version that it was begun with once, and stop it again.',
    );
  }
  if (!appliedHashes(sqlite).every((hash) => isKnownMigration(hash, migrations))) {
    return failed(
      'A newer version of Berth has changed this database: this one can not open it.',
      'Go on with the newer version, or restore a backup that this one made.',
    );
  }
  const waiting = pendingMigrations(sqlite, migrations).length;
  if (waiting === 0) return fine('The database is as this version needs it.');
  const needed = upgradeCopyBytes(sqlite);
  const { bavail, bsize } = await fs.statfs(dataDir);
  const free = bavail * bsize;
  if (free < needed && !upgradeWithoutCopy) {
    return failed(
      `The start copies the database before it changes it (${waiting}), which takes ${sizeWords(needed)}; ${sizeWords(free)} are free.`,
      'Free some space, or start once with BERTH_UPGRADE_WITHOUT_COPY=accept when you have a backup elsewhere.',
    );
  }
  return fine(
    `The start changes the database (${waiting}) after copying it to before-upgrade, for which there is room.`,
  );
}

/** Whether the secret at hand is the one that the data was made with. */
async function checkSecret(): Promise<Verdict> {
  const there = await checkSecretKey();
  if (there.state === 'error') return there;
  const { secret, dataDir } = env();
  const own = secret ?? (await fs.readFile(path.join(dataDir, 'secret.key'), 'utf8')).trim();
  if (belongsTo(getDb().sqlite, own)) return there;
  return failed(
    'The secret at hand is not the one that this data was made with: the console does not start.',
    'Put back the secret.key of your copy of the data folder, or the BERTH_SECRET that was set.',
  );
}

const looks: [CheckCode, Look][] = [
  ['version', checkVersion],
  ['database', () => checkDatabase(() => Promise.resolve(''), LOOK_LIMIT_MS)],
  ['upgrade', checkUpgrade],
  ['secretKey', checkSecret],
  ['backups', checkBackups],
  ['agents', checkAgents],
  ['settings', checkSettings],
];

/**
 * What stands in the way of running this version on the data as it lies there: nothing is changed. Throws an Error where there
 * is no database.
 */
export async function runUpgradeChecks(): Promise<Check[]> {
  try {
    openAsItIs();
  } catch (error) {
    if (!/^SQLITE_(CORRUPT|NOTADB)/.test(storageCodeOf(error) ?? '')) throw error;
    return [await runLook('version', checkVersion), { code: 'database', ...damaged((error as Error).message) }];
  }
  try {
    return await lookAtAll();
  } finally {
    closeAsItIs();
  }
}

async function lookAtAll(): Promise<Check[]> {
  const checks: Check[] = [];
  for (const [code, look] of looks) checks.push(await runLook(code, look, LOOK_LIMIT_MS + 60_000));
  return checks;
}
