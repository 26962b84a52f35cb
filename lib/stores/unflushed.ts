import 'server-only';
import { getDb } from '@/db/database';

/** As SQLite counts: 0 OFF, 1 NORMAL, 2 FULL. */
const NORMAL = 1;

/**
 * Runs `work` in a transaction at once, without waiting for the disk: a power cut may take back the last of such writes,
 * the end of the process may not. For counters and logs.
 */
export function writeUnflushed<T>(work: () => T): T {
  const { sqlite } = getDb();
  const usual = sqlite.pragma('synchronous', { simple: true }) as number;
  if (usual > NORMAL) sqlite.pragma(`synchronous = ${NORMAL}`);
  try {
    return sqlite.transaction(work)();
  } finally {
    sqlite.pragma(`synchronous = ${usual}`);
  }
}
