import 'server-only';
import { accountById } from '@/lib/auth/accounts';
import { passSignInOn } from '@/lib/auth/fresh-sign-ins';
import { isSameOrigin, requestActor } from '@/lib/auth/actor';
import { endSession, endSessionById, listSessions, sessionOfCookies, startSession } from '@/lib/auth/sessions';
import { AppError, NOT_FOUND_MESSAGE } from '@/lib/errors';
import { env } from '@/lib/env';
import type { KernelResponse, RequestContext, Route } from '@/lib/http/context';
import { credentialOf, refuseApiToken } from '@/lib/policies/actor';
import { securedAccountId } from '../guard';
import { authAnswer } from '../auth-answer';
import { write } from '@/lib/records/transaction';
import { auditCredential, auditSessionEnd, auditSessionStart } from './session-audit';

function isSecure(context: RequestContext): boolean {
  return context.isSecure || env().publicUrl.startsWith('https:');
}

function requireOwnPages(context: RequestContext): void {
  if (!isSameOrigin(context)) throw new AppError('forbidden', 'This call is for the console’s own pages.');
}

/** A token becomes a session cookie, so that pages know who looks at them, and a token that lives as long as that. */
async function start(context: RequestContext): Promise<KernelResponse> {
  requireOwnPages(context);
  const actor = requestActor(context);
  const account = actor.kind === 'user' ? accountById(actor.id) : undefined;
  if (!account) {
    throw new AppError('unauthenticated', 'The request requires valid record authorization token to be set.');
  }
  refuseApiToken(actor);
  // A session that the browser already has is ended: an id is never carried over a sign-in.
  if (context.header('cookie')) await endSession(context.header('cookie'), isSecure(context));
  const from = { address: context.address, userAgent: context.header('user-agent'), isSecure: isSecure(context) };
  await auditSessionStart(actor);
  const { setCookie, id } = await startSession(account.id, from);
  passSignInOn(context.header('authorization'), id);
  return { ...authAnswer(account, context.query, { sessionId: id }), headers: { 'set-cookie': setCookie } };
}

/** A session cookie becomes a token, for a page whose saved one is gone. */
async function exchange(context: RequestContext): Promise<KernelResponse> {
  requireOwnPages(context);
  const session = await sessionOfCookies(context.header('cookie'));
  if (!session) throw new AppError('unauthenticated', 'There is no session.');
  return authAnswer(session.account, context.query, { sessionId: session.id });
}

async function end(context: RequestContext): Promise<KernelResponse> {
  requireOwnPages(context);
  await auditSessionEnd(context);
  const cleared = await endSession(context.header('cookie'), isSecure(context));
  return { status: 204, headers: { 'set-cookie': cleared } };
}

function handleList(context: RequestContext): KernelResponse {
  const current = credentialOf(requestActor(context))?.id;
  const sessions = listSessions(securedAccountId(context));
  return {
    status: 200,
    json: { items: sessions.map((session) => ({ ...session, isCurrent: session.id === current })) },
  };
}

async function handleEndOne(context: RequestContext): Promise<KernelResponse> {
  const accountId = securedAccountId(context);
  const isEnded = await write((tx) => endSessionById(tx, accountId, context.params.id!));
  if (!isEnded) throw new AppError('not_found', NOT_FOUND_MESSAGE);
  await auditCredential(context, 'session.end', { accountId, details: {} });
  return { status: 204 };
}

/** Sessions of the console's pages: the cookie's own calls are same-origin only, the list goes by the Authorization header. */
export const sessionRoutes: Route[] = [
  { method: 'POST', path: '/api/session', handle: start },
  { method: 'POST', path: '/api/session/token', handle: exchange },
  { method: 'DELETE', path: '/api/session', handle: end },
  { method: 'GET', path: '/api/sessions', handle: handleList },
  { method: 'DELETE', path: '/api/sessions/:id', handle: handleEndOne },
];
