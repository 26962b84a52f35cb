import 'server-only';
import { closeDb, getDb } from '@/db/database';
import { isRestoreStanding } from '@/db/pending-restore';
import { closeAllLinks } from '@/lib/hosts/link/links';
import { env } from '@/lib/env';
import { AppError } from '@/lib/errors';
import { log } from '@/lib/log';
import { realtimeHub } from '@/lib/realtime/hub';
import { allCollections } from '@/lib/records/registry';
import { stopWrites } from '@/lib/records/write-stop';
import { recordAuditAlone, type AuditEntry } from '@/lib/records/audit';
import { bumpVersion } from '@/db/versions';
import { forgetSecrets } from '@/lib/secrets';
import { requestLogs } from '@/lib/stores/request-logs';
import { stageBackup } from './stage-backup';
import { inBackupTurn } from './turn';

/** Time for the answer to leave and for requests under way to end. */
const GRACE_MS = 1000;

/**
 * Stages a backup and resolves; then the console moves over to it and tells `entry` in the audit log that it has then. Throws
 * AppError `invalid` where it can't be restored.
 */
export function restoreBackup(file: string, entry: AuditEntry): Promise<void> {
  return new Promise((resolve, reject) => {
    const restored = inBackupTurn(async () => {
      await stageBackup(file);
      resolve();
      await swapInStaged();
      // Before the restore it would be told to the log that goes.
      await recordAuditAlone({ ...entry, outcome: isRestoreStanding(env().dataDir) ? 'success' : 'failure' });
    });
    restored.catch((error: unknown) => {
      if (!(error instanceof AppError)) log.error({ err: error }, 'a restore failed');
      reject(error as Error);
    });
  });
}

/**
 * Swaps the staged backup in after a moment and opens the database anew, in one turn of the event loop: a request sees the
 * old data or the restored. Writes in between are refused. Falls back to the data as it was when the restored does not open.
 */
async function swapInStaged(): Promise<void> {
  const allowWrites = stopWrites();
  try {
    await new Promise((resolve) => setTimeout(resolve, GRACE_MS));
    requestLogs().flush();
    closeDb();
    getDb();
    forgetSecrets();
    for (const { name } of allCollections()) bumpVersion(name);
  } finally {
    allowWrites();
    realtimeHub().closeAll();
    closeAllLinks();
  }
  log.warn('the console goes on after a restore; what that replaced is in before-restore');
}
