import 'server-only';
import { nowMs } from '@/lib/clock';
import { newSecret } from '@/lib/ids';
import { describeProvider, exchangeCode, type OAuthProvider } from './oauth';
import { toOAuthError } from './oauth-error';

const TIMEOUT_MS = 8000;
const CLOCK_WARN_MS = 30_000;
const CLOCK_BAD_MS = 5 * 60_000;

/** One look at a provider. `code` says what was found, `detail` gives the status or the id behind it. */
export interface OAuthCheck {
  part: 'authorization' | 'token' | 'userInfo' | 'clock';
  state: 'ok' | 'warn' | 'bad';
  code: string;
  detail: string;
}

/**
 * Asks every address of a provider as a sign-in would, with a code that can't be right: whether it then complains about the
 * code or about the client tells whether the credentials are good.
 */
export async function checkProvider(provider: OAuthProvider, redirectUrl: string): Promise<OAuthCheck[]> {
  const dates: string[] = [];
  const [authorization, token, userInfo] = await Promise.all([
    checkAuthorization(provider, redirectUrl, dates),
    checkToken(provider, redirectUrl),
    checkUserInfo(provider, dates),
  ]);
  const clock = checkClock(dates);
  return [authorization, token, userInfo, ...(clock ? [clock] : [])];
}

type Found = Omit<OAuthCheck, 'part'>;
const found = (state: OAuthCheck['state'], code: string, detail = ''): Found => ({ state, code, detail });

async function ask(url: string, dates: string[], headers: Record<string, string> = {}): Promise<Response> {
  const response = await fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
  const date = response.headers.get('date');
  if (date) dates.push(date);
  await response.body?.cancel();
  return response;
}

async function looking(part: OAuthCheck['part'], look: () => Promise<Found>): Promise<OAuthCheck> {
  try {
    return { part, ...(await look()) };
  } catch (error) {
    const { problem, detail } = toOAuthError(error);
    const code = problem === 'tls' || problem === 'timeout' ? problem : 'unreachable';
    return { part, ...found('bad', code, detail) };
  }
}

function checkAuthorization(provider: OAuthProvider, redirectUrl: string, dates: string[]): Promise<OAuthCheck> {
  return looking('authorization', async () => {
    const url = describeProvider(provider).authUrl + encodeURIComponent(redirectUrl);
    const response = await ask(url, dates, { accept: 'text/html' });
    const { status } = response;
    const location = response.headers.get('location');
    if (status >= 300 && status < 400 && location) {
      const target = new URL(location, url);
      if (!target.href.startsWith(redirectUrl)) return found('ok', 'loginPage');
      const error = target.searchParams.get('error') ?? '';
      // Providers that look at their own session first may say so; a person would be asked.
      if (error === '' || error === 'login_required') return found('ok', 'loginPage');
      return found('bad', error === 'invalid_scope' ? 'scopeRefused' : 'authRefused', nameOf(error));
    }
    if (status === 404) return found('bad', 'notThere', '404');
    if (status >= 500) return found('bad', 'broken', String(status));
    if (status >= 400) return found('bad', 'clientOrAddressRefused', String(status));
    return found('ok', 'loginPage');
  });
}

function checkToken(provider: OAuthProvider, redirectUrl: string): Promise<OAuthCheck> {
  return looking('token', async () => {
    const attempt = { code: newSecret(40), codeVerifier: newSecret(43), redirectUrl };
    try {
      await exchangeCode(provider, attempt);
    } catch (error) {
      const { problem, detail } = toOAuthError(error);
      if (problem === 'code') return found('ok', 'credentialsGood');
      if (problem === 'client') return found('bad', 'credentialsWrong', detail);
      if (problem === 'refused') return found('warn', 'refusedOddly', detail);
      if (problem !== 'answer') throw error;
      if (detail === '404') return found('bad', 'notThere', detail);
      return Number(detail) >= 500 ? found('bad', 'broken', detail) : found('bad', 'notJson', detail);
    }
    return found('bad', 'believesAnything');
  });
}

function checkUserInfo(provider: OAuthProvider, dates: string[]): Promise<OAuthCheck> {
  return looking('userInfo', async () => {
    const headers = { authorization: `Bearer ${newSecret(40)}`, accept: 'application/json' };
    const { status } = await ask(provider.userInfoUrl, dates, headers);
    if (status === 401 || status === 403 || status === 400) return found('ok', 'asksForToken');
    if (status === 404) return found('bad', 'notThere', '404');
    if (status >= 500) return found('bad', 'broken', String(status));
    return found('warn', 'answersAnyone', String(status));
  });
}

/** How far the provider's clock is from ours, as far as its answers tell: signed answers are dated. */
function checkClock(dates: readonly string[]): OAuthCheck | undefined {
  const apart = dates.map((date) => Math.abs(Date.parse(date) - nowMs())).filter(Number.isFinite);
  if (apart.length === 0) return undefined;
  const leastMs = Math.min(...apart);
  const seconds = String(Math.round(leastMs / 1000));
  if (leastMs >= CLOCK_BAD_MS) return { part: 'clock', ...found('bad', 'clockApart', seconds) };
  if (leastMs >= CLOCK_WARN_MS) return { part: 'clock', ...found('warn', 'clockApart', seconds) };
  return { part: 'clock', ...found('ok', 'clockTogether') };
}

function nameOf(error: string): string {
  return /^[a-z_]{1,40}$/.test(error) ? error : '';
}
