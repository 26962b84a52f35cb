import 'server-only';
import { getDb } from '@/db/database';
import { WriteTransaction } from './transaction';

/**
 * Runs `work` in a transaction at once and without the queue, also while writes are stopped: for whoever stopped them, and for
 * what may be lost with the data that goes. Nobody hears of it, so it is not for records.
 */
export function writeNow<T>(work: (tx: WriteTransaction) => T): T {
  return getDb().sqlite.transaction(() => work(new WriteTransaction()))();
}
