import 'server-only';
import { getDb } from '@/db/database';
import { isBackupRunning } from '@/lib/backups/turn';
import type { Route } from '@/lib/http/context';
import { APP_VERSION } from '@/lib/version';
import { statfs } from 'node:fs/promises';
import { env } from '@/lib/env';

/** Below this much free disk the console says so. */
const LOW_DISK_BYTES = 200 * 1024 * 1024;

async function checkHealth() {
  let database = 'ok';
  try {
    getDb().sqlite.exec('BEGIN IMMEDIATE; COMMIT');
  } catch (error) {
    database = error instanceof Error ? error.message : 'unknown';
  }
  const { bavail, bsize } = await statfs(env().dataDir);
  const diskFreeBytes = bavail * bsize;
  const isHealthy = database === 'ok';
  return {
    status: isHealthy ? 200 : 503,
    json: {
      code: isHealthy ? 200 : 503,
      message: isHealthy ? 'API is healthy.' : 'The database cannot be written.',
      data: {
        canBackup: isHealthy && !isBackupRunning(),
        version: APP_VERSION,
        database,
        diskFreeBytes,
        diskLow: diskFreeBytes < LOW_DISK_BYTES,
      },
    },
  };
}

/** Open to anyone: version, database and disk. 503 when the database can't be written. */
export const healthRoutes: Route[] = [
  { method: 'GET', path: '/api/health', handle: checkHealth },
  { method: 'HEAD', path: '/api/health', handle: checkHealth },
];
