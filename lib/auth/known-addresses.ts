import 'server-only';
import { nowMs, toWireDate } from '@/lib/clock';
import { addressBlock } from './address-block';
import { log } from '@/lib/log';
import { prepare } from '@/lib/records/statements';

const OPEN = 'SELECT DISTINCT address FROM sessions WHERE user_id = ? AND expires_at > ?';
const KEPT_DAYS = 90;
const DAY_MS = 24 * 60 * 60_000;
/** The newest of its sign-ins are looked at, so that a long history costs no more. */
const PAST = `SELECT DISTINCT address FROM (SELECT address, action, outcome FROM audit WHERE user = ? AND created > ?
   ORDER BY created DESC LIMIT 20000) WHERE outcome = 'success' AND action LIKE 'signIn.%'`;

/** Whether the account's owner signs in from that address: what others try elsewhere is not to lock him out there. */
export function isKnownAddress(accountId: string, address: string): boolean {
  if (address === '') return false;
  const block = addressBlock(address);
  const isOf = (addresses: string[]) => addresses.some((each) => each !== '' && addressBlock(each) === block);
  const now = nowMs();
  const open = prepare<string>(OPEN).pluck();
  return isOf(open.all(accountId, Math.floor(now / 1000))) || isOf(pastAddresses(accountId, now));
}

/** None where the audit log can't be read: people sign in all the same. */
function pastAddresses(accountId: string, now: number): string[] {
  try {
    return prepare<string>(PAST)
      .pluck()
      .all(accountId, toWireDate(now - KEPT_DAYS * DAY_MS));
  } catch (error) {
    log.error({ err: error }, 'the audit log could not be read');
    return [];
  }
}
