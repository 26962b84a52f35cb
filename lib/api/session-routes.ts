import 'server-only';
import { isSameOrigin, requestActor } from '@/lib/auth/actor';
import { accountOfCookies, endSession, startSession } from '@/lib/auth/sessions';
import { AppError } from '@/lib/errors';
import { env } from '@/lib/env';
import type { KernelResponse, RequestContext, Route } from '@/lib/http/context';
import { authAnswer } from './auth-routes';
import { auditSessionEnd, auditSessionStart } from './session-audit';

function isSecure(context: RequestContext): boolean {
  return context.isSecure || env().publicUrl.startsWith('https:');
}

function requireOwnPages(context: RequestContext): void {
  if (!isSameOrigin(context)) throw new AppError('forbidden', 'This call is for the console’s own pages.');
}

/** A token becomes a session cookie, so that pages know who looks at them. */
async function start(context: RequestContext): Promise<KernelResponse> {
  requireOwnPages(context);
  const actor = requestActor(context);
  if (actor.kind !== 'user') {
    throw new AppError('unauthenticated', 'The request requires valid record authorization token to be set.');
  }
  // A session that the browser already has is ended: an id is never carried over a sign-in.
  if (context.header('cookie')) await endSession(context.header('cookie'), isSecure(context));
  const from = { address: context.address, userAgent: context.header('user-agent'), isSecure: isSecure(context) };
  await auditSessionStart(actor);
  return { status: 204, headers: { 'set-cookie': await startSession(actor.id, from) } };
}

/** A session cookie becomes a token, for a page whose saved one is gone. */
async function exchange(context: RequestContext): Promise<KernelResponse> {
  requireOwnPages(context);
  const account = await accountOfCookies(context.header('cookie'));
  if (!account) throw new AppError('unauthenticated', 'There is no session.');
  return authAnswer(account, context.query);
}

async function end(context: RequestContext): Promise<KernelResponse> {
  requireOwnPages(context);
  await auditSessionEnd(context);
  const cleared = await endSession(context.header('cookie'), isSecure(context));
  return { status: 204, headers: { 'set-cookie': cleared } };
}

/** Sessions of the console's pages; same-origin only. */
export const sessionRoutes: Route[] = [
  { method: 'POST', path: '/api/session', handle: start },
  { method: 'POST', path: '/api/session/token', handle: exchange },
  { method: 'DELETE', path: '/api/session', handle: end },
];
