import 'server-only';
import { createHash } from 'node:crypto';
import { CodeChallengeMethod, generateCodeVerifier, OAuth2Client } from 'arctic';
import { newSecret } from '@/lib/ids';

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
  fields: { id: string; username: string; name: string; email: string; avatar: string };
}

/** What a page needs to send someone to the provider; `authUrl` ends where the redirect address goes. */
export interface AuthMethod {
  name: string;
  displayName: string;
  state: string;
  authUrl: string;
  codeVerifier: string;
  codeChallenge: string;
  codeChallengeMethod: 'S256';
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
  const codeVerifier = generateCodeVerifier();
  const state = newSecret(30);
  const client = new OAuth2Client(provider.clientId, provider.clientSecret || null, null);
  const url = client.createAuthorizationURLWithPKCE(provider.authUrl, state, CodeChallengeMethod.S256, codeVerifier, [
    ...provider.scopes,
  ]);
  return {
    name: provider.name,
    displayName: provider.displayName,
    state,
    // The client puts the redirect address behind the last sign; a blank must not be a plus for it.
    authUrl: `${url.href.replaceAll('+', '%20')}&redirect_uri=`,
    codeVerifier,
    codeChallenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    codeChallengeMethod: 'S256',
  };
}

/** Exchanges a code and reads who it stands for. Rejects when the provider refuses, is slow or answers nonsense. */
export async function readOAuthProfile(
  provider: OAuthProvider,
  { code, codeVerifier, redirectUrl }: { code: string; codeVerifier: string; redirectUrl: string },
): Promise<OAuthProfile> {
  const client = new OAuth2Client(provider.clientId, provider.clientSecret || null, redirectUrl);
  const tokens = await inTime(client.validateAuthorizationCode(provider.tokenUrl, code, codeVerifier || null));
  const accessToken = tokens.accessToken();
  const response = await fetch(provider.userInfoUrl, {
    headers: { authorization: `Bearer ${accessToken}`, accept: 'application/json' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
    redirect: 'error',
  });
  const text = await response.text();
  if (!response.ok || text.length > MAX_PROFILE_BYTES) throw new Error(`The profile call answered ${response.status}`);
  const rawUser = JSON.parse(text) as Record<string, unknown>;
  const expiresAt = 'expires_in' in tokens.data ? tokens.accessTokenExpiresAt().toISOString().replace('T', ' ') : '';
  return {
    ...profileOf(provider, rawUser),
    accessToken,
    refreshToken: tokens.hasRefreshToken() ? tokens.refreshToken() : '',
    expiry: expiresAt,
  };
}

/** An address that the provider says it has not checked counts as none: it must not open someone else's account. */
function profileOf({ fields }: OAuthProvider, rawUser: Record<string, unknown>) {
  const textOf = (name: string): string => {
    const value = Object.hasOwn(rawUser, name) ? rawUser[name] : '';
    return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
  };
  const id = textOf(fields.id);
  if (id === '') throw new Error('The profile has no id');
  const isUnchecked = rawUser.email_verified === false || rawUser.email_verified === 'false';
  return {
    id,
    name: textOf(fields.name),
    username: textOf(fields.username),
    email: isUnchecked ? '' : textOf(fields.email),
    avatarUrl: textOf(fields.avatar),
    rawUser,
  };
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The provider did not answer in time')), TIMEOUT_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
