import 'server-only';
import { accountById, type Account } from '@/lib/auth/accounts';
import { accountOfEnrolment, requestActor } from '@/lib/auth/actor';
import { users } from './collection';
import { AppError, NOT_FOUND_MESSAGE } from '@/lib/errors';
import type { RequestContext } from '@/lib/http/context';
import { actorUserId, credentialOf, hasFullAccess, refuseApiToken } from '@/lib/policies/actor';
import { StoreReader } from '@/lib/records/transaction';

/** The account of who signed in; neither the administration token nor an API token will do. Throws AppError. */
export function requireAccount(context: RequestContext): Account {
  const actor = requestActor(context);
  refuseApiToken(actor);
  const account = actor.kind === 'user' ? accountById(actor.id) : undefined;
  if (account) return account;
  throw new AppError('unauthenticated', 'The request requires valid record authorization token to be set.');
}

/** Whoever changes the factors of their own account: signed in, or with the token that lets them set up the first one. */
export interface FactorCaller {
  account: Account;
  sessionId: string | undefined;
  isEnrolling: boolean;
}

/** As `requireAccount`, for the calls that set up a second factor. */
export function requireFactorCaller(context: RequestContext): FactorCaller {
  const enrolling = accountOfEnrolment(context.header('authorization'));
  if (enrolling) return { account: enrolling, sessionId: undefined, isEnrolling: true };
  return signedInCaller(context);
}

/** As `requireAccount`, with the session that the account is signed in by. */
export function signedInCaller(context: RequestContext): FactorCaller {
  const by = credentialOf(requestActor(context));
  return { account: requireAccount(context), sessionId: by?.id, isEnrolling: false };
}

/** What the query of those calls means that `securedAccountId` guards. */
export const USER_QUERY = { user: 'Id of another account, for admins' };

/**
 * Whose sessions, tokens or factors a call is about: the caller's own, or for admins those of `?user=`. Throws AppError
 * `unauthenticated` for guests, `forbidden` for API tokens and for another's account, `not_found` where there is none.
 */
export function securedAccountId(context: RequestContext): string {
  const actor = requestActor(context);
  const ownId = actorUserId(actor);
  if (ownId === '') {
    throw new AppError('unauthenticated', 'The request requires admin or record authorization token to be set.');
  }
  refuseApiToken(actor);
  const id = context.query.get('user') || ownId;
  if (id !== ownId && !hasFullAccess(actor)) {
    throw new AppError('forbidden', 'You are not allowed to perform this request.');
  }
  if (!new StoreReader().get(users, id)) throw new AppError('not_found', NOT_FOUND_MESSAGE);
  return id;
}
