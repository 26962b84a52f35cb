import 'server-only';
import { toOAuthError, OAuthError } from './oauth-error';

const TIMEOUT_MS = 8000;
const MAX_BYTES = 512 * 1024;
const WELL_KNOWN = '/.well-known/openid-configuration';

export interface DiscoveredProvider {
  authUrl: string;
  tokenUrl: string;
  userInfoUrl: string;
  /** Whether it says that it knows PKCE; undefined where it says nothing. */
  pkce: boolean | undefined;
}

/** Reads a provider's addresses from its issuer. Throws OAuthError with the status or the system's code. */
export async function discoverProvider(issuer: string): Promise<DiscoveredProvider> {
  try {
    return parseDocument(await download(addressOf(issuer)));
  } catch (error) {
    throw toOAuthError(error);
  }
}

function addressOf(issuer: string): string {
  const base = issuer.replace(/\/+$/, '');
  return base.endsWith(WELL_KNOWN) ? base : base + WELL_KNOWN;
}

async function download(address: string): Promise<string> {
  const response = await fetch(address, {
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const text = await response.text();
  if (!response.ok || text.length > MAX_BYTES) throw new OAuthError('answer', String(response.status));
  return text;
}

function parseDocument(text: string): DiscoveredProvider {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw new OAuthError('answer', 'json');
  }
  const read = (key: string): unknown =>
    typeof document === 'object' && document !== null && Object.hasOwn(document, key)
      ? (document as Record<string, unknown>)[key]
      : undefined;
  const [authUrl, tokenUrl, userInfoUrl] = ['authorization_endpoint', 'token_endpoint', 'userinfo_endpoint'].map(
    (key) => {
      const value = read(key);
      return typeof value === 'string' && /^https?:\/\//.test(value) ? value : '';
    },
  );
  if (!authUrl || !tokenUrl) throw new OAuthError('answer', 'addresses');
  const methods = read('code_challenge_methods_supported');
  const pkce = Array.isArray(methods) ? methods.includes('S256') : undefined;
  return { authUrl, tokenUrl, userInfoUrl: userInfoUrl ?? '', pkce };
}
