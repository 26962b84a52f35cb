import 'server-only';
import { z } from 'zod';
import { users } from './collection';
import type { Account } from '@/lib/auth/accounts';
import { noteSignIn } from '@/lib/auth/fresh-sign-ins';
import { issueToken } from '@/lib/auth/tokens';
import { newId } from '@/lib/ids';
import { AppError, NOT_FOUND_MESSAGE } from '@/lib/errors';
import type { RequestContext } from '@/lib/http/context';
import { recordOf } from '@/lib/http/route';
import type { Actor } from '@/lib/policies/actor';
import { findCollection } from '@/lib/records/registry';
import { viewRecord } from '@/lib/records/reader';

const profileSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  username: z.string(),
  email: z.string(),
  avatarUrl: z.string(),
  rawUser: z.record(z.string(), z.unknown()),
  accessToken: z.string(),
  refreshToken: z.string(),
  expiry: z.string(),
  isNew: z.boolean().describe('Whether the account was made by this log-in'),
});
/** What a provider told of who signs in. */
export type ProviderProfile = z.output<typeof profileSchema>;

/** As clients store it. */
export const authAnswerSchema = z.strictObject({
  token: z.string(),
  record: recordOf('users'),
  meta: profileSchema.optional().describe('After a provider’s log-in'),
});
export type AuthAnswer = z.output<typeof authAnswerSchema>;

/** What else an auth answer may be asked for. */
export const AUTH_QUERY = { expand: 'Related records to show with the account' };

interface AuthAnswerOptions {
  /** After a provider's sign-in. */
  meta?: ProviderProfile;
  /** The session that the token belongs to; none for clients of the record API. */
  sessionId?: string;
  /** The sign-in that a refreshed token goes on with; a new one where there is neither this nor a session. */
  signInId?: string | undefined;
  /** Whether the caller has just proven who they are; a refreshed token proves nothing anew. */
  isSignIn?: boolean;
}

/** The account as its owner sees it, with a token that signs it in. */
export function authAnswer(
  account: Account,
  query: URLSearchParams,
  { meta, sessionId, signInId = newId(), isSignIn = false }: AuthAnswerOptions = {},
): AuthAnswer {
  const actor: Actor = { kind: 'user', id: account.id, isAdmin: account.isAdmin };
  const record = viewRecord(users, actor, account.id, { expand: query.get('expand') ?? '' }) as object;
  const token = issueToken(account, 'auth', users.id, sessionId === undefined ? { lid: signInId } : { sid: sessionId });
  if (isSignIn) noteSignIn(token);
  return { token, record, ...(meta && { meta }) };
}

/** Refuses paths of collections that hold no accounts. */
export function requireAccounts(context: RequestContext): void {
  const collection = findCollection(context.params.collection!, { anyCase: true });
  if (!collection) throw new AppError('not_found', NOT_FOUND_MESSAGE);
  if (!collection.isAuth) throw new AppError('invalid', 'Unsupported collection type.');
}
