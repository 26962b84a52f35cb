import 'server-only';
import { nowMs } from '@/lib/clock';
import { addressBlock } from './address-block';
import { prepare } from '@/lib/records/statements';

const ADDRESSES = 'SELECT DISTINCT address FROM sessions WHERE user_id = ? AND expires_at > ?';

/** Whether the account is signed in from that address: what others try elsewhere is not to lock its owner out there. */
export function isKnownAddress(accountId: string, address: string): boolean {
  if (address === '') return false;
  const block = addressBlock(address);
  const addresses = prepare<string>(ADDRESSES)
    .pluck()
    .all(accountId, Math.floor(nowMs() / 1000));
  return addresses.some((each) => each !== '' && addressBlock(each) === block);
}
