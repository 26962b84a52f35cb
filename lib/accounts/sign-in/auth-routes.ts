import 'server-only';
import { z } from 'zod';
import { accountById } from '@/lib/auth/accounts';
import { requestActor, signInOfAuthorization } from '@/lib/auth/actor';
import { AppError } from '@/lib/errors';
import type { RequestContext, Route } from '@/lib/http/context';
import { defineRoute } from '@/lib/http/route';
import { credentialOf, refuseApiToken } from '@/lib/policies/actor';
import { describeProvider } from '@/lib/remote/oauth';
import { ssoProvider } from '@/lib/settings/sso-provider';
import { AUTH_QUERY, authAnswer, authAnswerSchema, requireAccounts, type AuthAnswer } from '../auth-answer';
import { signInByPassword } from './password-sign-in';

const BASE = '/api/collections/:collection';

const methodsSchema = z.strictObject({
  usernamePassword: z.boolean(),
  emailPassword: z.boolean(),
  onlyVerified: z.boolean(),
  authProviders: z.array(
    z.strictObject({
      name: z.string(),
      displayName: z.string(),
      state: z.string(),
      authUrl: z.string().describe('Ends where the redirect address goes'),
      codeVerifier: z.string(),
      codeChallenge: z.string(),
      codeChallengeMethod: z.enum(['S256', '']),
    }),
  ),
});

/** Of a sign-in by password, into an account or into the administration calls. */
export const passwordShape = z.object({
  identity: z.string().describe('E-mail address, or the name of an account'),
  password: z.string(),
  code: z.string().optional().describe('Of the second factor; without it one that is needed is asked for'),
});

function authRefresh(context: RequestContext): AuthAnswer {
  const actor = requestActor(context);
  const account = actor.kind === 'user' ? accountById(actor.id) : undefined;
  if (!account) {
    throw new AppError('unauthenticated', 'The request requires valid record authorization token to be set.');
  }
  refuseApiToken(actor);
  const by = credentialOf(actor);
  if (by?.kind === 'session') return authAnswer(account, context.query, { sessionId: by.id });
  return authAnswer(account, context.query, { signInId: signInOfAuthorization(context.header('authorization')) });
}

function authMethods(): z.output<typeof methodsSchema> {
  const provider = ssoProvider();
  const authProviders = provider ? [describeProvider(provider)] : [];
  return { usernamePassword: true, emailPassword: true, onlyVerified: false, authProviders };
}

/** Sign-in and refresh of accounts. */
export const authRoutes: Route[] = [
  defineRoute({
    method: 'GET',
    path: `${BASE}/auth-methods`,
    summary: 'How people may log in',
    guard: requireAccounts,
    answer: methodsSchema,
    picks: true,
    handle: authMethods,
  }),
  defineRoute({
    method: 'POST',
    path: `${BASE}/auth-with-password`,
    summary: 'Signs in',
    query: AUTH_QUERY,
    guard: requireAccounts,
    bodyShape: passwordShape,
    answer: authAnswerSchema,
    picks: true,
    example: { identity: 'ada@example.com', password: 'Berth!pass1' },
    async handle({ context, body }) {
      const account = await signInByPassword(context, body, { action: 'signIn.password' });
      return authAnswer(account, context.query, { isSignIn: true });
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${BASE}/auth-refresh`,
    summary: 'A fresh token',
    query: AUTH_QUERY,
    guard: requireAccounts,
    answer: authAnswerSchema,
    picks: true,
    handle: ({ context }) => authRefresh(context),
  }),
];
