import 'server-only';
import type { Statement } from 'better-sqlite3';
import { getDb, type Db } from '@/db/database';
import { nowMs } from '@/lib/clock';
import { addressBlock } from './address-block';

const prepared = new WeakMap<Db, Statement<[string, number]>>();

function addressesOfSessions(): Statement<[string, number]> {
  const db = getDb();
  let statement = prepared.get(db);
  if (!statement) {
    statement = db.sqlite.prepare<[string, number]>(
      'SELECT DISTINCT address FROM sessions WHERE user_id = ? AND expires_at > ?',
    );
    prepared.set(db, statement.pluck());
  }
  return statement;
}

/** Whether the account is signed in from that address: what others try elsewhere is not to lock its owner out there. */
export function isKnownAddress(accountId: string, address: string): boolean {
  if (address === '') return false;
  const block = addressBlock(address);
  const addresses = addressesOfSessions().all(accountId, Math.floor(nowMs() / 1000)) as string[];
  return addresses.some((each) => each !== '' && addressBlock(each) === block);
}
