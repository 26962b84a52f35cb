import 'server-only';
import { statfs } from 'node:fs/promises';
import { isBackupRunning } from '@/lib/backups/turn';
import { env } from '@/lib/env';
import type { Route } from '@/lib/http/context';
import { APP_VERSION } from '@/lib/version';
import { probeStorage } from './storage-probe';

/** Below this much free disk the console says so. */
const LOW_DISK_BYTES = 200 * 1024 * 1024;

async function checkHealth() {
  const fault = await probeStorage();
  const { bavail, bsize } = await statfs(env().dataDir);
  const diskFreeBytes = bavail * bsize;
  const isHealthy = fault === '';
  const code = isHealthy ? 200 : 503;
  return {
    status: code,
    json: {
      code,
      message: isHealthy ? 'API is healthy.' : fault,
      data: {
        canBackup: isHealthy && !isBackupRunning(),
        version: APP_VERSION,
        database: isHealthy ? 'ok' : fault,
        diskFreeBytes,
        diskLow: diskFreeBytes < LOW_DISK_BYTES,
      },
    },
  };
}

/** Open to anyone: version, database and disk. 503 with what is wrong when nothing can be written. */
export const healthRoutes: Route[] = [
  { method: 'GET', path: '/api/health', handle: checkHealth },
  { method: 'HEAD', path: '/api/health', handle: checkHealth },
];
