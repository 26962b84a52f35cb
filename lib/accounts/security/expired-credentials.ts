import 'server-only';
import { apiTokensThatRanOut } from '@/lib/auth/api-tokens';
import { sweepSessions } from '@/lib/auth/sessions';
import { sweepSignIns } from '@/lib/auth/sign-in-ends';
import { nowMs, toWireDate } from '@/lib/clock';
import { tellCredentialEnds } from '@/lib/auth/credential-ends';
import { singleton } from '@/lib/singleton';

const last = singleton('expiry-sweep', () => ({ at: toWireDate(nowMs()) }));

/**
 * Removes sessions that have run out, and has what they and expired API tokens hold open close. New calls are refused by
 * the time itself; expired API tokens stay in their owner's list.
 */
export async function endExpiredCredentials(): Promise<void> {
  const until = toWireDate(nowMs());
  const ids = apiTokensThatRanOut(last.at, until);
  last.at = until;
  tellCredentialEnds(ids);
  sweepSignIns();
  await sweepSessions();
}
