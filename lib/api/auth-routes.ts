import 'server-only';
import { users } from '@/lib/collections/users';
import { accountById, type Account } from '@/lib/auth/accounts';
import { requestActor } from '@/lib/auth/actor';
import { noteSignIn } from '@/lib/auth/fresh-sign-ins';
import { issueToken } from '@/lib/auth/tokens';
import { ssoProvider } from '@/lib/commands/sso-provider';
import { AppError, NOT_FOUND_MESSAGE } from '@/lib/errors';
import { readSmallBody } from '@/lib/http/body';
import type { KernelResponse, RequestContext, Route } from '@/lib/http/context';
import { credentialOf, refuseApiToken, type Actor } from '@/lib/policies/actor';
import { parseFields } from '@/lib/records/pick';
import { findCollection } from '@/lib/records/registry';
import { viewRecord } from '@/lib/records/reader';
import { describeProvider } from '@/lib/remote/oauth';
import { signInByPassword } from './password-sign-in';

function pickFrom(answer: object, query: URLSearchParams): unknown {
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

async function authWithPassword(context: RequestContext): Promise<KernelResponse> {
  requireAccounts(context);
  const account = await signInByPassword(context, await readSmallBody(context), { action: 'signIn.password' });
  return authAnswer(account, context.query, { isSignIn: true });
}

function authRefresh(context: RequestContext): KernelResponse {
  requireAccounts(context);
  const actor = requestActor(context);
  const account = actor.kind === 'user' ? accountById(actor.id) : undefined;
  if (!account) {
    throw new AppError('unauthenticated', 'The request requires valid record authorization token to be set.');
  }
  refuseApiToken(actor);
  const by = credentialOf(actor);
  return authAnswer(account, context.query, by?.kind === 'session' ? { sessionId: by.id } : {});
}

function authMethods(context: RequestContext): KernelResponse {
  requireAccounts(context);
  const provider = ssoProvider();
  const authProviders = provider ? [describeProvider(provider)] : [];
  const methods = { usernamePassword: true, emailPassword: true, onlyVerified: false, authProviders };
  return { status: 200, json: pickFrom(methods, context.query) };
}

/** Sign-in and refresh of accounts. */
export const authRoutes: Route[] = [
  { method: 'GET', path: '/api/collections/:collection/auth-methods', handle: authMethods },
  { method: 'POST', path: '/api/collections/:collection/auth-with-password', handle: authWithPassword },
  { method: 'POST', path: '/api/collections/:collection/auth-refresh', handle: authRefresh },
];
