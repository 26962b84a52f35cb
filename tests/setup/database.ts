import { afterAll, beforeAll } from 'vitest';
import { closeDb, getDb } from '@/db/database';
import { requestLogs } from '@/lib/stores/request-logs';

/** Opens the test file's own database, without waiting for the disk, and closes it at the end. */
export function openPrivateDatabase(): void {
  beforeAll(() => {
    getDb().sqlite.pragma('synchronous = OFF');
  });
  afterAll(() => {
    requestLogs().flush();
    closeDb();
  });
}
