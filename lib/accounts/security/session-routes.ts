import 'server-only';
import { z } from 'zod';
import { accountById } from '@/lib/auth/accounts';
import { passSignInOn } from '@/lib/auth/fresh-sign-ins';
import { isSameOrigin, requestActor, signInOfAuthorization } from '@/lib/auth/actor';
import { bindSignIn } from '@/lib/auth/sign-in-ends';
import { endSession, endSessionById, listSessions, sessionOfCookies, startSession } from '@/lib/auth/sessions';
import { AppError, NOT_FOUND_MESSAGE } from '@/lib/errors';
import { env } from '@/lib/env';
import type { KernelResponse, RequestContext, Route } from '@/lib/http/context';
import { credentialOf, refuseApiToken } from '@/lib/policies/actor';
import { defineRoute, reply } from '@/lib/http/route';
import { write } from '@/lib/records/transaction';
import { securedAccountId, USER_QUERY } from '../guard';
import { AUTH_QUERY, authAnswer, authAnswerSchema, type AuthAnswer } from '../auth-answer';
import { auditCredential, auditSessionEnd, auditSessionStart } from './session-audit';

const sessionSchema = z.strictObject({
  id: z.string(),
  address: z.string(),
  userAgent: z.string(),
  created: z.string(),
  lastUsed: z.string(),
  expires: z.string(),
  isCurrent: z.boolean(),
});

function isSecure(context: RequestContext): boolean {
  return context.isSecure || env().publicUrl.startsWith('https:');
}

function requireOwnPages(context: RequestContext): void {
  if (!isSameOrigin(context)) throw new AppError('forbidden', 'This call is for the console’s own pages.');
}

/** A token becomes a session cookie, so that pages know who looks at them, and a token that lives as long as that. */
async function start(context: RequestContext) {
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
  const signInId = signInOfAuthorization(context.header('authorization'));
  if (signInId !== undefined) bindSignIn(signInId, id);
  passSignInOn(context.header('authorization'), id);
  return reply(authAnswer(account, context.query, { sessionId: id }), { headers: { 'set-cookie': setCookie } });
}

/** A session cookie becomes a token, for a page whose saved one is gone. */
async function exchange(context: RequestContext): Promise<AuthAnswer> {
  const session = await sessionOfCookies(context.header('cookie'));
  if (!session) throw new AppError('unauthenticated', 'There is no session.');
  return authAnswer(session.account, context.query, { sessionId: session.id });
}

async function end(context: RequestContext): Promise<KernelResponse> {
  await auditSessionEnd(context);
  const cleared = await endSession(context.header('cookie'), isSecure(context));
  return { status: 204, headers: { 'set-cookie': cleared } };
}

function list(context: RequestContext): z.output<typeof sessionSchema>[] {
  const current = credentialOf(requestActor(context))?.id;
  const sessions = listSessions(securedAccountId(context));
  return sessions.map((session) => ({ ...session, isCurrent: session.id === current }));
}

/** Sessions of the console's pages: the cookie's own calls are same-origin only, the list goes by the Authorization header. */
export const sessionRoutes: Route[] = [
  defineRoute({
    method: 'POST',
    path: '/api/session',
    summary: 'Signs the console’s own pages in by a cookie; a token becomes a session',
    query: AUTH_QUERY,
    guard: requireOwnPages,
    answer: authAnswerSchema,
    picks: true,
    handle: ({ context }) => start(context),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/session/token',
    summary: 'A token of the session that the cookie names, for the console’s own pages',
    query: AUTH_QUERY,
    guard: requireOwnPages,
    answer: authAnswerSchema,
    picks: true,
    handle: ({ context }) => exchange(context),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/api/session',
    summary: 'Signs the console’s own pages out',
    guard: requireOwnPages,
    handle: ({ context }) => end(context),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/sessions',
    summary: 'Where the account is logged in',
    query: USER_QUERY,
    answer: z.strictObject({ items: z.array(sessionSchema) }),
    handle: ({ context }) => ({ items: list(context) }),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/api/sessions/:id',
    summary: 'Ends a session',
    query: USER_QUERY,
    guard: securedAccountId,
    async handle({ context, caller: accountId }) {
      const isEnded = await write((tx) => endSessionById(tx, accountId, context.params.id!));
      if (!isEnded) throw new AppError('not_found', NOT_FOUND_MESSAGE);
      await auditCredential(context, 'session.end', { accountId, details: {} });
    },
  }),
];
