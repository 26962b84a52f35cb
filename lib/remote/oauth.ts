import 'server-only';
import { createHash } from 'node:crypto';
import { CodeChallengeMethod, generateCodeVerifier, OAuth2Client } from 'arctic';
import { newSecret } from '@/lib/ids';
import { OAuthError, toOAuthError } from './oauth-error';
import { requestTokens } from './oauth-token';

const TIMEOUT_MS = 10_000;
const MAX_PROFILE_BYTES = 1024 * 1024;

/** A sign-in provider, by its addresses and by what its profiles call things. */
export interface OAuthProvider {
  name: string;
  displayName: string;
  clientId: string;
  clientSecret: string;
  authUrl: string;
  tokenUrl: string;
  userInfoUrl: string;
  scopes: readonly string[];
  usesPkce: boolean;
  /** Whether its addresses count as checked where it does not say so. */
  trustsEmail: boolean;
  fields: { id: string; username: string; name: string; email: string; avatar: string };
  /** What its profiles call the list of groups; empty where that is not to be read. */
  groupsClaim: string;
}

/** What a page needs to send someone to the provider; `authUrl` ends where the redirect address goes. */
export interface AuthMethod {
  name: string;
  displayName: string;
  state: string;
  authUrl: string;
  codeVerifier: string;
  codeChallenge: string;
  codeChallengeMethod: 'S256' | '';
}

export interface OAuthProfile {
  id: string;
  name: string;
  username: string;
  email: string;
  avatarUrl: string;
  rawUser: Record<string, unknown>;
  accessToken: string;
  refreshToken: string;
  /** Wire date; empty where the provider names none. */
  expiry: string;
}

export function describeProvider(provider: OAuthProvider): AuthMethod {
  const state = newSecret(30);
  const client = new OAuth2Client(provider.clientId, null, null);
  const base = { name: provider.name, displayName: provider.displayName, state };
  // The client puts the redirect address behind the last sign; a blank must not be a plus for it.
  const openEnded = (url: URL): string => `${url.href.replaceAll('+', '%20')}&redirect_uri=`;
  if (!provider.usesPkce) {
    const url = client.createAuthorizationURL(provider.authUrl, state, [...provider.scopes]);
    return { ...base, authUrl: openEnded(url), codeVerifier: '', codeChallenge: '', codeChallengeMethod: '' };
  }
  const codeVerifier = generateCodeVerifier();
  const method = CodeChallengeMethod.S256;
  const url = client.createAuthorizationURLWithPKCE(provider.authUrl, state, method, codeVerifier, [
    ...provider.scopes,
  ]);
  return {
    ...base,
    authUrl: openEnded(url),
    codeVerifier,
    codeChallenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    codeChallengeMethod: 'S256',
  };
}

/** What a profile says, and the address that it names without vouching for it. */
export interface OAuthIdentity {
  profile: OAuthProfile;
  unvouchedEmail: string;
}

/** Exchanges a code and reads who it stands for. Throws OAuthError when the provider refuses, is slow or answers nonsense. */
export async function readOAuthProfile(provider: OAuthProvider, request: CodeExchange): Promise<OAuthIdentity> {
  try {
    const tokens = await exchangeCode(provider, request);
    const accessToken = tokens.accessToken();
    const rawUser = await readRawUser(provider, accessToken);
    const expiresAt = 'expires_in' in tokens.data ? tokens.accessTokenExpiresAt().toISOString().replace('T', ' ') : '';
    const { unvouchedEmail, ...said } = profileOf(provider, rawUser);
    const refreshToken = tokens.hasRefreshToken() ? tokens.refreshToken() : '';
    return { profile: { ...said, accessToken, refreshToken, expiry: expiresAt }, unvouchedEmail };
  } catch (error) {
    throw toOAuthError(error);
  }
}

export interface CodeExchange {
  code: string;
  codeVerifier: string;
  redirectUrl: string;
}

/** Asks the token address. Throws OAuthError or the client library's own. */
export function exchangeCode(provider: OAuthProvider, { code, codeVerifier, redirectUrl }: CodeExchange) {
  const { tokenUrl, clientId, clientSecret, usesPkce } = provider;
  const verifier = usesPkce ? codeVerifier : '';
  return requestTokens({ tokenUrl, clientId, clientSecret, code, codeVerifier: verifier, redirectUrl });
}

async function readRawUser(provider: OAuthProvider, accessToken: string): Promise<Record<string, unknown>> {
  const response = await fetch(provider.userInfoUrl, {
    headers: { authorization: `Bearer ${accessToken}`, accept: 'application/json' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
    redirect: 'error',
  });
  const text = await response.text();
  if (!response.ok || text.length > MAX_PROFILE_BYTES) throw new OAuthError('profile', String(response.status));
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    throw new OAuthError('profile', 'json');
  }
  throw new OAuthError('profile', 'json');
}

/** An address opens an account here only where the provider says that it has checked it, or where an admin trusts it to. */
function profileOf({ fields, trustsEmail }: OAuthProvider, rawUser: Record<string, unknown>) {
  const textOf = (name: string): string => {
    const value = Object.hasOwn(rawUser, name) ? rawUser[name] : '';
    return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
  };
  const id = textOf(fields.id);
  if (id === '') throw new OAuthError('identity');
  const said = rawUser.email_verified;
  const isVouched = said === true || said === 'true' || (trustsEmail && (said === undefined || said === null));
  const email = textOf(fields.email);
  return {
    id,
    name: textOf(fields.name),
    username: textOf(fields.username),
    email: isVouched ? email : '',
    unvouchedEmail: isVouched ? '' : email,
    avatarUrl: textOf(fields.avatar),
    rawUser,
  };
}
