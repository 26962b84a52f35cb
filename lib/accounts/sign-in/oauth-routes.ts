import 'server-only';
import { requestActor } from '@/lib/auth/actor';
import { passSecondFactor } from '../security/pass-second-factor';
import { signInWithProvider } from './sign-in-with-provider';
import { rateLimits } from '@/lib/vocabulary/limits';
import { readSmallBody } from '@/lib/http/body';
import type { KernelResponse, RequestContext, Route } from '@/lib/http/context';
import { credentialOf } from '@/lib/policies/actor';
import { realtimeHub } from '@/lib/realtime/hub';
import { limitCalls, turnsOfAddress } from '@/lib/auth/limited';
import { auditProviderSignIn } from './provider-audit';
import { authAnswer, requireAccounts } from '../auth-answer';

const TOPIC = '@oauth2';
const RESULT_PAGE = '../_/#/auth/oauth2-redirect';

async function authWithOAuth2(context: RequestContext): Promise<KernelResponse> {
  requireAccounts(context);
  const actor = requestActor(context);
  // Linking a provider opens the account to it: nothing that an API token may do.
  const signedInId = actor.kind === 'user' && actor.by?.kind !== 'apiToken' ? actor.id : '';
  const body = await readSmallBody(context);
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
async function handleRedirect(context: RequestContext): Promise<KernelResponse> {
  const given = context.method === 'POST' ? await readSmallBody(context) : Object.fromEntries(context.query);
  const [state, code, error] = [given.state, given.code, given.error].map((value) =>
    typeof value === 'string' ? value : '',
  );
  const wasHeard = realtimeHub().sendOnce(state!, TOPIC, { state, code, ...(error !== '' && { error }) });
  const result = wasHeard && code !== '' && error === '' ? 'success' : 'failure';
  return { status: context.method === 'POST' ? 303 : 307, headers: { location: `${RESULT_PAGE}-${result}` } };
}

/** Signing in through a provider. */
export const oauthRoutes: Route[] = [
  { method: 'POST', path: '/api/collections/:collection/auth-with-oauth2', handle: authWithOAuth2 },
  { method: 'GET', path: '/api/oauth2-redirect', handle: handleRedirect },
  { method: 'POST', path: '/api/oauth2-redirect', handle: handleRedirect },
];
