import 'server-only';
import { accountById } from '@/lib/auth/accounts';
import { requestActor } from '@/lib/auth/actor';
import { ssoProvider } from '@/lib/settings/sso-provider';
import { AppError } from '@/lib/errors';
import { readSmallBody } from '@/lib/http/body';
import type { KernelResponse, RequestContext, Route } from '@/lib/http/context';
import { credentialOf, refuseApiToken } from '@/lib/policies/actor';
import { describeProvider } from '@/lib/remote/oauth';
import { authAnswer, pickFrom, requireAccounts } from '../auth-answer';
import { signInByPassword } from './password-sign-in';

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
