import 'server-only';
import { z } from 'zod';
import { isBackupRunning } from '@/lib/backups/turn';
import type { Route } from '@/lib/http/context';
import { defineRoute, reply } from '@/lib/http/route';
import { APP_VERSION } from '@/lib/version';
import { probeStorage } from './storage-probe';
import { statfs } from 'node:fs/promises';
import { env } from '@/lib/env';

/** Below this much free disk the console says so. */
const LOW_DISK_BYTES = 200 * 1024 * 1024;

const answerSchema = z.strictObject({
  code: z.int().describe('As the status'),
  message: z.string(),
  data: z.strictObject({
    canBackup: z.boolean(),
    version: z.string(),
    database: z.string().describe('`ok`, or why it can not be written'),
    diskFreeBytes: z.number(),
    diskLow: z.boolean(),
  }),
});

async function checkHealth(): Promise<z.output<typeof answerSchema>> {
  const fault = await probeStorage();
  const { bavail, bsize } = await statfs(env().dataDir);
  const diskFreeBytes = bavail * bsize;
  const isHealthy = fault === '';
  return {
    code: isHealthy ? 200 : 503,
    message: isHealthy ? 'API is healthy.' : fault,
    data: {
      canBackup: isHealthy && !isBackupRunning(),
      version: APP_VERSION,
      database: isHealthy ? 'ok' : fault,
      diskFreeBytes,
      diskLow: diskFreeBytes < LOW_DISK_BYTES,
    },
  };
}

const healthRoute = defineRoute({
  method: 'GET',
  path: '/api/health',
  summary: 'Whether the console is well',
  answer: answerSchema,
  async handle() {
    const health = await checkHealth();
    return reply(health, { status: health.code });
  },
});

/** Open to anyone: version, database and disk. 503 with what is wrong when nothing can be written. */
export const healthRoutes: Route[] = [healthRoute, { ...healthRoute, method: 'HEAD', about: undefined }];
