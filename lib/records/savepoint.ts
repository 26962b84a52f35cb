import 'server-only';
import { getDb } from '@/db/database';
import { log } from '@/lib/log';
import { prepare, prepareWrite } from './statements';

/** Does a part of a transaction: where it throws nothing of it is left, unless the whole transaction has ended with it. */
export function inSavepoint<T>(name: 'entry' | 'part', work: () => T): T {
  prepare(`SAVEPOINT ${name}`).run();
  try {
    const value = work();
    prepareWrite(`RELEASE ${name}`).run();
    return value;
  } catch (error) {
    if (getDb().sqlite.inTransaction) {
      prepareWrite(`ROLLBACK TO ${name}`).run();
      prepareWrite(`RELEASE ${name}`).run();
    }
    throw error;
  }
}

/** Ends a transaction that failed, where it has not ended by itself. Never throws: whoever waits is told why it failed. */
export function rollBack(): void {
  try {
    const { sqlite } = getDb();
    if (sqlite.inTransaction) sqlite.exec('ROLLBACK');
  } catch (error) {
    log.error({ err: error }, 'a failed transaction could not be rolled back');
  }
}
