import 'server-only';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { nowMs } from '@/lib/clock';
import { keyFor } from '@/lib/secrets';

/** How long a token of a sign-in is good for. */
export const AUTH_LIFE_SECONDS = 1_209_600;

/** Purposes of the record API's tokens, each with its own signing secret and life in seconds. */
const purposes = {
  auth: { type: 'authRecord', lifeSeconds: AUTH_LIFE_SECONDS },
  file: { type: 'authRecord', lifeSeconds: 120 },
  passwordReset: { type: 'authRecord', lifeSeconds: 1800 },
  verification: { type: 'authRecord', lifeSeconds: 604_800 },
  emailChange: { type: 'authRecord', lifeSeconds: 1800 },
  /** Opens the calls that set up a second factor, to whoever must have one. */
  enrolment: { type: 'authRecord', lifeSeconds: 600 },
  adminAuth: { type: 'admin', lifeSeconds: 1_209_600 },
  adminFile: { type: 'admin', lifeSeconds: 120 },
  adminPasswordReset: { type: 'admin', lifeSeconds: 1800 },
} as const;
export type TokenPurpose = keyof typeof purposes;

export interface TokenClaims {
  id: string;
  type: 'authRecord' | 'admin';
  collectionId?: string;
  exp: number;
  /** Of tokens that travel by mail: the address that they were made for. */
  email?: string;
  newEmail?: string;
  /** Of tokens that belong to a browser's session: its stored id, which the cookie can't be derived from. */
  sid?: string;
  /** Of tokens that belong to no session: the sign-in that they came from. */
  lid?: string;
  /** Of file tokens that were asked for with an API token: its id. */
  tid?: string;
  /** Of administration tokens, and file tokens made with them: when their holder last proved who they are, in seconds. */
  at?: number;
}

type ExtraClaims = Pick<TokenClaims, 'email' | 'newEmail' | 'sid' | 'lid' | 'tid' | 'at'>;

const HEADER = Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url');

function sign(signed: string, tokenKey: string, purpose: TokenPurpose): Buffer {
  const secret = keyFor(`token:${purpose}`).toString('base64url');
  return createHmac('sha256', tokenKey + secret)
    .update(signed)
    .digest();
}

/** A JWT for the account. Its key is the account's `tokenKey` and the purpose's secret, so either change ends it. */
export function issueToken(
  account: { id: string; tokenKey: string },
  purpose: TokenPurpose,
  collectionId: string,
  extra: ExtraClaims = {},
): string {
  const { type, lifeSeconds } = purposes[purpose];
  const exp = Math.floor(nowMs() / 1000) + lifeSeconds;
  const base = type === 'admin' ? { exp, id: account.id, type } : { collectionId, exp, id: account.id, type };
  const claims = { ...base, ...extra };
  const signed = `${HEADER}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
  return `${signed}.${sign(signed, account.tokenKey, purpose).toString('base64url')}`;
}

/** What a token says of itself, proven by nothing and maybe long over; empty when it is no token. */
export function readPayload(token: string): Readonly<Record<string, unknown>> {
  try {
    const payload: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    return typeof payload === 'object' && payload !== null ? { ...payload } : {};
  } catch {
    return {};
  }
}

/** The claims of a token that could be ours, not yet proven; undefined when it is no such thing or has expired. */
export function readClaims(token: string): TokenClaims | undefined {
  const parts = token.split('.');
  if (parts.length !== 3) return undefined;
  try {
    const claims = JSON.parse(Buffer.from(parts[1]!, 'base64url').toString()) as Partial<TokenClaims>;
    if (!isHs256(parts[0]!) || typeof claims.id !== 'string' || typeof claims.exp !== 'number') return undefined;
    if (claims.type !== 'authRecord' && claims.type !== 'admin') return undefined;
    if (claims.type === 'authRecord' && typeof claims.collectionId !== 'string') return undefined;
    if (claims.exp * 1000 <= nowMs()) return undefined;
    return claims as TokenClaims;
  } catch {
    return undefined;
  }
}

/** Our own header is known by its text; what another HS256 one looks like is its maker's choice. */
function isHs256(header: string): boolean {
  return (
    header === HEADER || (JSON.parse(Buffer.from(header, 'base64url').toString()) as { alg?: unknown }).alg === 'HS256'
  );
}

/** Whether the account signed the token for the purpose. */
export function isTokenOf(token: string, tokenKey: string, purpose: TokenPurpose): boolean {
  const dot = token.lastIndexOf('.');
  // As texts: decoding would pass over what is no base64, and one token would have many spellings.
  const given = Buffer.from(token.slice(dot + 1));
  const wanted = Buffer.from(sign(token.slice(0, dot), tokenKey, purpose).toString('base64url'));
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
