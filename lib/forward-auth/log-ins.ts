import 'server-only';
import { z } from 'zod';
import { shortLived } from '@/lib/auth/short-lived';
import { nowMs } from '@/lib/clock';
import { newSecret } from '@/lib/ids';
import { singleton } from '@/lib/singleton';
import type { Login } from './access';
import type { AskedAddress } from './asked-address';
import { hashOf, readSigned, signText } from './signed';

/** How long a person may take to log in. */
export const STATE_SECONDS = 600;
/** How long a browser may take to come back once its person was let in. */
const APPROVAL_SECONDS = 60;
/** A longer address is forgotten on the way: its workspace opens at its beginning. */
const LONGEST = 4000;

const stateSchema = z.strictObject({
  id: z.string(),
  /** The process that gave it: what was used up is known to that one alone. */
  by: z.string(),
  key: z.string(),
  address: z.string(),
  csrf: z.string(),
  exp: z.number(),
});
/** A log-in at an address that has begun. */
export type State = z.output<typeof stateSchema>;

const returnSchema = z.strictObject({ key: z.string(), code: z.string() });

/** That someone may open an address, waiting for the browser to come back. */
export interface Approval {
  key: string;
  /** Where the browser was when it was sent to log in. */
  address: string;
  csrf: string;
  user: string;
  login: Login;
}

const processId = () => singleton('forward-auth-process', () => newSecret(20));
// Signed-in people alone fill these two, and no faster than the limits of the call let them.
const usedUp = () => shortLived<true>('forward-auth-states', { lifeMs: STATE_SECONDS * 1000, max: 50_000 });
const approvals = () => shortLived<Approval>('forward-auth-approvals', { lifeMs: APPROVAL_SECONDS * 1000, max: 2000 });

const csrfHash = (token: string): string => hashOf('csrf', token);

/** Begins a log-in at an address: the text that goes through the console's pages and back. */
export function beginLogin({ key, origin, uri }: AskedAddress, csrfToken: string): string {
  const whole = `${origin}${uri}`;
  const address = whole.length <= LONGEST ? whole : `${origin}/`;
  const exp = Math.floor(nowMs() / 1000) + STATE_SECONDS;
  return signText('state', { id: newSecret(20), by: processId(), key, address, csrf: csrfHash(csrfToken), exp });
}

/** A log-in that has begun here, is not over, and belongs to the token. */
export function readState(text: string, csrfToken: string): State | undefined {
  const { data: state } = stateSchema.safeParse(readSigned('state', text));
  if (state?.by !== processId() || state.csrf !== csrfHash(csrfToken)) return undefined;
  const secondsLeft = state.exp - nowMs() / 1000;
  return secondsLeft > 0 && secondsLeft <= STATE_SECONDS && !usedUp().get(state.id) ? state : undefined;
}

/**
 * Lets someone in once. What is answered is for the browser that was let in: whoever began the log-in and sent it to another
 * does not learn it.
 */
export function approve({ id, key, address, csrf }: State, user: string, login: Login): string {
  usedUp().put(id, true);
  const code = newSecret(43);
  approvals().put(code, { key, address, csrf, user, login });
  return signText('return', { key, code });
}

/** The code of a text that `approve` gave for this address; undefined for every other. */
export function readReturn(text: string, key: string): string | undefined {
  const { data } = returnSchema.safeParse(readSigned('return', text));
  return data?.key === key ? data.code : undefined;
}

/** The approval of a code, which nobody gets again, where it belongs to the address and the token. */
export function takeApproval(code: string, key: string, csrfToken: string): Approval | undefined {
  const approval = approvals().take(code);
  return approval?.key === key && approval.csrf === csrfHash(csrfToken) ? approval : undefined;
}
