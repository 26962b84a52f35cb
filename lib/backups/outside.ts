import 'server-only';
import { existsSync } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { claimDataFolder, closeDataFolder, openDataFolder } from '@/db/data-folder';
import { closeAsItIs, openAsItIs } from '@/db/database';
import { isRestoreStanding, isRestoreUnproven, undoCutOffRestore } from '@/db/pending-restore';
import { env } from '@/lib/env';
import { AppError } from '@/lib/errors';
import { system } from '@/lib/policies/actor';
import { recordAuditAlone } from '@/lib/records/audit';
import { forgetSecrets } from '@/lib/secrets';
import { createBackupOutside } from './create-backup';
import { backupsFolder, findBackup, newBackupKey } from './folder';
import { stageBackup } from './stage-backup';
import { inBackupTurn } from './turn';

const CLAIM_WAIT_MS = 500;

/**
 * Makes a backup from the command line, beside a console that may be running: at `file`, or among the backups of the console.
 * Resolves with where it lies and how many files that records name were not there. Throws AppError `invalid` and `conflict`.
 */
export async function backUpOutside(file: string | undefined): Promise<{ file: string; missing: number }> {
  const target = path.resolve(file ?? path.join(backupsFolder(), newBackupKey('berth_backup_')));
  if (!target.endsWith('.zip')) throw new AppError('invalid', `The name of a backup ends in .zip: ${target}`);
  if (existsSync(target)) throw new AppError('conflict', `There is a file of this name already: ${target}`);
  if (isRestoreUnproven(env().dataDir)) {
    throw new AppError('conflict', 'A restore was cut off before its end. Start the console once, and try again.');
  }
  openAsItIs();
  try {
    const missing = await inBackupTurn(() => createBackupOutside(path.dirname(target), path.basename(target)));
    return { file: target, missing };
  } finally {
    closeAsItIs();
  }
}

/** Where the backup of that name or path lies. Throws AppError `not_found`. */
export async function findBackupOutside(nameOrFile: string): Promise<string> {
  const found = (await findBackup(nameOrFile)) ?? path.resolve(nameOrFile);
  const stats = await fs.stat(found).catch(() => undefined);
  if (!stats?.isFile()) throw new AppError('not_found', `There is no backup ${nameOrFile}.`);
  return found;
}

/**
 * Restores a backup while no console runs. Throws a ClaimedError where one does, AppError `invalid` where the backup can't be
 * restored, with everything as it was. Once it is staged a process that ends is made up for by the next start.
 */
export async function restoreOutside(file: string): Promise<void> {
  claimDataFolder(CLAIM_WAIT_MS);
  try {
    await inBackupTurn(async () => {
      const { dataDir } = env();
      // Its staging folder goes below, and what it replaced with the next swap.
      undoCutOffRestore(dataDir);
      const hadData = existsSync(path.join(dataDir, 'berth.db'));
      await stageBackup(file);
      forgetSecrets();
      openDataFolder();
      const isStanding = !hadData || isRestoreStanding(dataDir);
      const on = { collection: '', record: '', name: path.basename(file) };
      await recordAuditAlone({
        action: 'backup.restore',
        actor: system,
        on,
        outcome: isStanding ? 'success' : 'failure',
      });
      if (!isStanding) throw new AppError('invalid', 'The restored data did not open. The data is as it was before.');
    });
  } finally {
    closeDataFolder();
  }
}
