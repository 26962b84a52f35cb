import 'server-only';
import { OAuth2RequestError, OAuth2Tokens } from 'arctic';
import { OAuthError } from './oauth-error';

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 256 * 1024;

interface TokenRequest {
  tokenUrl: string;
  clientId: string;
  clientSecret: string;
  code: string;
  /** Empty without PKCE. */
  codeVerifier: string;
  redirectUrl: string;
}

/**
 * Exchanges a code for tokens. The secret goes into the Authorization header first and into the form where a provider does
 * not know the client that way. By our own call: the client library states the length of its body itself, which the
 * agent's HTTP client, loaded into the same process, refuses. Throws OAuthError or OAuth2RequestError.
 */
export async function requestTokens(request: TokenRequest): Promise<OAuth2Tokens> {
  if (request.clientSecret === '') return send(request, 'form');
  try {
    return await send(request, 'header');
  } catch (error) {
    if (!(error instanceof OAuth2RequestError) || error.code !== 'invalid_client') throw error;
    return send(request, 'form');
  }
}

async function send(request: TokenRequest, place: 'header' | 'form'): Promise<OAuth2Tokens> {
  const { tokenUrl, clientId, clientSecret, code, codeVerifier, redirectUrl } = request;
  const body = new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri: redirectUrl });
  if (codeVerifier !== '') body.set('code_verifier', codeVerifier);
  const headers: Record<string, string> = { accept: 'application/json' };
  if (place === 'header') {
    // Both are written as in a form before they are joined.
    const pair = [clientId, clientSecret]
      .map((text) => new URLSearchParams({ '': text }).toString().slice(1))
      .join(':');
    headers.authorization = `Basic ${Buffer.from(pair).toString('base64')}`;
  } else {
    body.set('client_id', clientId);
    if (clientSecret !== '') body.set('client_secret', clientSecret);
  }
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(tokenUrl, { method: 'POST', headers, body, signal, redirect: 'manual' });
  return readTokens(response.status, await response.text());
}

function readTokens(status: number, text: string): OAuth2Tokens {
  if (text.length > MAX_BYTES) throw new OAuthError('answer', String(status));
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    throw new OAuthError('answer', String(status));
  }
  if (typeof data !== 'object' || data === null) throw new OAuthError('answer', String(status));
  // Some providers answer 200 with an error.
  const error = 'error' in data ? data.error : undefined;
  if (typeof error === 'string') throw new OAuth2RequestError(error, null, null, null);
  if (status !== 200 || !('access_token' in data)) throw new OAuthError('answer', String(status));
  return new OAuth2Tokens(data);
}
