import { api, startSession } from '@/components/data/client';
import { messageOf } from '@/components/data/problems';
import { paths } from '@/lib/paths';
import { safeRedirect } from './safe-redirect';
import { readSignInNeed, type SignInNeed } from './sign-in-need';

const STORE_KEY = 'berth.provider-flow';

/** What has to be remembered while the browser is at the provider; the tab's own, gone with it. */
interface Flow {
  provider: string;
  displayName: string;
  state: string;
  codeVerifier: string;
  mode: 'signIn' | 'link';
  target: string;
}

/** How a return from the provider ended. */
export type FlowEnd = { displayName: string; mode: Flow['mode'] } & (
  | { kind: 'done'; target: string }
  | { kind: 'mismatch' | 'denied' | 'missing' }
  | { kind: 'more'; need: SignInNeed; target: string }
  | { kind: 'refused'; error: string }
  | { kind: 'failed'; message: string | undefined }
);

function redirectUrl(): string {
  return window.location.origin + paths.loginCallback;
}

/** Sends this tab to the provider; rejects when there is none any more. */
export async function beginFlow(request: { mode: Flow['mode']; target: string; provider?: string }): Promise<void> {
  const { mode, target } = request;
  const { authProviders } = await api().collection('users').listAuthMethods();
  const method = request.provider ? authProviders.find(({ name }) => name === request.provider) : authProviders[0];
  if (!method) throw new Error('There is no provider any more.');
  const { name: provider, displayName, state, codeVerifier } = method;
  const flow: Flow = { provider, displayName, state, codeVerifier, mode, target };
  window.sessionStorage.setItem(STORE_KEY, JSON.stringify(flow));
  window.location.assign(method.authUrl + encodeURIComponent(redirectUrl()));
}

function takeFlow(): Flow | undefined {
  const text = window.sessionStorage.getItem(STORE_KEY);
  window.sessionStorage.removeItem(STORE_KEY);
  return text === null ? undefined : (JSON.parse(text) as Flow);
}

const endings = new Map<string, Promise<FlowEnd>>();

/** Ends the flow that the provider's answer belongs to; the same answer is handled once, however often it is asked for. */
export function endFlow(answer: URLSearchParams): Promise<FlowEnd> {
  const key = answer.toString();
  const known = endings.get(key) ?? finish(takeFlow(), answer);
  endings.set(key, known);
  return known;
}

async function finish(flow: Flow | undefined, answer: URLSearchParams): Promise<FlowEnd> {
  const about = { displayName: flow?.displayName ?? '', mode: flow?.mode ?? ('signIn' as const) };
  if (!flow || answer.get('state') !== flow.state) return { ...about, kind: 'mismatch' };
  const error = answer.get('error');
  if (error === 'access_denied') return { ...about, kind: 'denied' };
  // The provider's description is its own text: only the error's id is shown, and only where it looks like one.
  if (error) return { ...about, kind: 'refused', error: /^[a-z_]{1,40}$/.test(error) ? error : 'error' };
  const code = answer.get('code');
  if (!code) return { ...about, kind: 'missing' };
  try {
    await (flow.mode === 'link' ? link(flow, code) : signIn(flow, code));
    return { ...about, kind: 'done', target: safeRedirect(flow.target) };
  } catch (thrown) {
    const need = readSignInNeed(thrown);
    if (need) return { ...about, kind: 'more', need, target: safeRedirect(flow.target) };
    return { ...about, kind: 'failed', message: messageOf(thrown) };
  }
}

async function signIn({ provider, codeVerifier }: Flow, code: string): Promise<void> {
  // A saved log-in would be taken for the wish to link that account.
  api().authStore.clear();
  await api().collection('users').authWithOAuth2Code(provider, code, codeVerifier, redirectUrl());
  await startSession();
}

/** Not by the client's own call, which would take over the answer as a new log-in. */
async function link({ provider, codeVerifier }: Flow, code: string): Promise<void> {
  const client = api();
  if (!client.authStore.isValid) {
    const fresh = await client.send<{ token: string }>('/api/session/token', { method: 'POST', body: {} });
    client.authStore.save(fresh.token, null);
  }
  const body = { provider, code, codeVerifier, redirectUrl: redirectUrl(), linkOnly: true };
  await client.send('/api/collections/users/auth-with-oauth2', { method: 'POST', body });
}
