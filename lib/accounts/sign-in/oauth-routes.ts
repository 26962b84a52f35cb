import 'server-only';
import { z } from 'zod';
import { requestActor } from '@/lib/auth/actor';
import { passSecondFactor } from '../security/pass-second-factor';
import { signInWithProvider } from './sign-in-with-provider';
import { rateLimits } from '@/lib/vocabulary/limits';
import type { KernelResponse, RequestContext, Route } from '@/lib/http/context';
import { defineRoute } from '@/lib/http/route';
import { credentialOf, type Actor } from '@/lib/policies/actor';
import { realtimeHub } from '@/lib/realtime/hub';
import { limitCalls, turnsOfAddress } from '@/lib/auth/limited';
import { auditProviderSignIn } from './provider-audit';
import { AUTH_QUERY, authAnswer, authAnswerSchema, requireAccounts, type AuthAnswer } from '../auth-answer';

const TOPIC = '@oauth2';
const RESULT_PAGE = '../_/#/auth/oauth2-redirect';

const providerShape = z.object({
  provider: z.string(),
  code: z.string(),
  codeVerifier: z.string().optional(),
  redirectUrl: z.string(),
  createData: z
    .object({
      username: z.string().optional(),
      name: z.string().optional(),
      emailVisibility: z.boolean().optional(),
      language: z.string().optional(),
    })
    .optional()
    .describe('For an account that this log-in makes'),
  linkOnly: z.boolean().optional().describe('Links the account that is logged in, or fails'),
});

type Body = Readonly<Record<string, unknown>>;

async function authWithOAuth2(context: RequestContext, { actor, body }: { actor: Actor; body: Body }) {
  // Linking a provider opens the account to it: nothing that an API token may do.
  const signedInId = actor.kind === 'user' && actor.by?.kind !== 'apiToken' ? actor.id : '';
  limitCalls(turnsOfAddress(context, rateLimits.providerByAddress));
  const signIn = () => signInWithProvider(body, signedInId);
  const { account, meta } = await auditProviderSignIn(context, { provider: body.provider, signIn });
  // Whoever links a provider is signed in already, and proves nothing anew: the link may be to an account of their own there.
  if (account.id === signedInId) {
    const by = credentialOf(actor);
    return authAnswer(account, context.query, { meta, ...(by && { sessionId: by.id }) });
  }
  // For all others it is the first factor.
  await passSecondFactor(account, { code: '', meta });
  return authAnswer(account, context.query, { meta, isSignIn: true });
}

/** The provider sends the popup here; whoever opened it listens on the realtime stream that `state` names. */
function redirect(given: Body, status: 303 | 307): KernelResponse {
  const [state, code, error] = [given.state, given.code, given.error].map((value) =>
    typeof value === 'string' ? value : '',
  );
  const wasHeard = realtimeHub().sendOnce(state!, TOPIC, { state, code, ...(error !== '' && { error }) });
  const result = wasHeard && code !== '' && error === '' ? 'success' : 'failure';
  return { status, headers: { location: `${RESULT_PAGE}-${result}` } };
}

/** Signing in through a provider. */
export const oauthRoutes: Route[] = [
  defineRoute({
    method: 'POST',
    path: '/api/collections/:collection/auth-with-oauth2',
    summary: 'Signs in through a provider',
    query: AUTH_QUERY,
    guard(context) {
      requireAccounts(context);
      return requestActor(context);
    },
    bodyShape: providerShape,
    answer: authAnswerSchema,
    picks: true,
    example: {
      provider: 'oidc',
      code: 'what the provider sent back',
      codeVerifier: 'of auth-methods',
      redirectUrl: 'https://berth.example.com/login/callback',
    },
    handle: ({ context, body, caller: actor }): Promise<AuthAnswer> => authWithOAuth2(context, { actor, body }),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/oauth2-redirect',
    summary: 'Where a provider sends people back to',
    query: { state: 'Id of the event stream that waits', code: 'To log in with', error: 'Why there is no code' },
    status: 307,
    handle: ({ context }) => redirect(Object.fromEntries(context.query), 307),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/oauth2-redirect',
    summary: 'The same, for providers that post',
    bodyShape: z.object({ state: z.string(), code: z.string().optional(), error: z.string().optional() }),
    status: 303,
    example: { state: 'id of the event stream', code: 'what to log in with' },
    handle: ({ body }) => redirect(body, 303),
  }),
];
