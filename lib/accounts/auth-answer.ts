import 'server-only';
import { users } from './collection';
import type { Account } from '@/lib/auth/accounts';
import { noteSignIn } from '@/lib/auth/fresh-sign-ins';
import { issueToken } from '@/lib/auth/tokens';
import { AppError, NOT_FOUND_MESSAGE } from '@/lib/errors';
import type { KernelResponse, RequestContext } from '@/lib/http/context';
import type { Actor } from '@/lib/policies/actor';
import { parseFields } from '@/lib/records/pick';
import { findCollection } from '@/lib/records/registry';
import { viewRecord } from '@/lib/records/reader';

/** What the caller asks for of an answer. */
export function pickFrom(answer: object, query: URLSearchParams): unknown {
  const pick = parseFields(query.get('fields') ?? '');
  return pick ? pick(answer) : answer;
}

interface AuthAnswerOptions {
  /** After a provider's sign-in. */
  meta?: object;
  /** The session that the token belongs to; none for clients of the record API. */
  sessionId?: string;
  /** Whether the caller has just proven who they are; a refreshed token proves nothing anew. */
  isSignIn?: boolean;
}

/** `{token, record}` as the client stores it; `fields` picks from the root. */
export function authAnswer(
  account: Account,
  query: URLSearchParams,
  { meta, sessionId, isSignIn = false }: AuthAnswerOptions = {},
): KernelResponse {
  const actor: Actor = { kind: 'user', id: account.id, isAdmin: account.isAdmin };
  const record = viewRecord(users, actor, account.id, { expand: query.get('expand') ?? '' });
  const token = issueToken(account, 'auth', users.id, sessionId === undefined ? {} : { sid: sessionId });
  if (isSignIn) noteSignIn(token);
  return { status: 200, json: pickFrom({ token, record, ...(meta && { meta }) }, query) };
}

/** Refuses paths of collections that hold no accounts. */
export function requireAccounts(context: RequestContext): void {
  const collection = findCollection(context.params.collection!, { anyCase: true });
  if (!collection) throw new AppError('not_found', NOT_FOUND_MESSAGE);
  if (!collection.isAuth) throw new AppError('invalid', 'Unsupported collection type.');
}
