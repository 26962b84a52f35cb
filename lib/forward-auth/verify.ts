import 'server-only';
import { actorOfAuthorization } from '@/lib/auth/actor';
import { limitCalls, turnsOfAddress } from '@/lib/auth/limited';
import { readClaims } from '@/lib/auth/tokens';
import { AppError } from '@/lib/errors';
import type { RequestContext } from '@/lib/http/context';
import { rateLimits } from '@/lib/vocabulary/limits';
import type { Login } from './access';
import { findAddress } from './find-address';
import { approve, readState } from './log-ins';
import { asksConsole, basisOf, usableAccount } from './may-open';
import { returnAddress } from './return-address';

interface Verification {
  /** Of the person at the console's page: a token of the record API. */
  authToken: string;
  state: string;
  csrfToken: string;
}

/**
 * Lets the token's person into the address that the state is of, once; returns where the browser has to go with that.
 * Throws AppError `unauthenticated`, `invalid` for a state that is none, is over or was used, and `forbidden`.
 */
export function verify(
  context: Pick<RequestContext, 'address'>,
  { authToken, state: text, csrfToken }: Verification,
): string {
  limitCalls(turnsOfAddress(context, rateLimits.verifyByAddress));
  const { user, login } = callerOf(authToken);
  limitCalls([{ limit: rateLimits.verifyByAccount, who: user }]);
  const state = readState(text, csrfToken);
  const address = state && findAddress(state.key);
  if (!address || !asksConsole(address)) throw new AppError('invalid', 'This log-in is over. Open the address again.');
  const account = usableAccount(user);
  if (!account || basisOf(account, address) === undefined) {
    throw new AppError('forbidden', 'You are not authorized to access the workspace!');
  }
  return returnAddress(state.address, { state: approve(state, user, login), csrfToken, user: account.username });
}

/** People log in, programs don't: an API token opens no address. */
function callerOf(authToken: string): { user: string; login: Login } {
  const actor = actorOfAuthorization(authToken);
  const claims = readClaims(authToken.replace(/^Bearer /, ''));
  if (actor.kind !== 'user' || actor.by?.kind === 'apiToken' || !claims) {
    throw new AppError('unauthenticated', 'Log in first.');
  }
  const { exp, lid } = claims;
  return { user: actor.id, login: actor.by ? { session: actor.by.id, exp } : { ...(lid && { signIn: lid }), exp } };
}
