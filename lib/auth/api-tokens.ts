import 'server-only';
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { wireNow } from '@/lib/clock';
import { newSecret } from '@/lib/ids';
import type { Credential } from '@/lib/policies/actor';
import { prepare } from '@/lib/records/statements';
import type { WriteTransaction } from '@/lib/records/transaction';

export const API_TOKEN_PREFIX = 'berth_';
/** Random letters and digits of a token: some 178 bits. */
const SECRET_CHARS = 30;
const CHECKSUM_CHARS = 6;
const SHAPE = new RegExp(`^${API_TOKEN_PREFIX}[A-Za-z0-9]{${SECRET_CHARS + CHECKSUM_CHARS}}$`);
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Lets scanners of leaked secrets tell a token from a look-alike without asking us. */
function checksumOf(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let count = 0; count < CHECKSUM_CHARS; count += 1) {
    digits = DIGITS[rest % 62]! + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** A new API token; only its hash is to be kept. */
export function newApiToken(): string {
  const text = API_TOKEN_PREFIX + newSecret(SECRET_CHARS);
  return text + checksumOf(text);
}

/** What is stored of a token: it is random enough that a plain hash can't be turned back. */
export function apiTokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

const LIVE = `SELECT id, user_id AS accountId, scope FROM api_tokens WHERE (expires = '' OR expires > ?)`;

type ApiTokenCredential = Extract<Credential, { kind: 'apiToken' }>;

export interface LiveApiToken {
  accountId: string;
  credential: ApiTokenCredential;
}

function toLive(row: unknown): LiveApiToken | undefined {
  if (!row) return undefined;
  const { id, accountId, scope } = row as { id: string; accountId: string; scope: ApiTokenCredential['scope'] };
  return { accountId, credential: { kind: 'apiToken', id, scope } };
}

/** What the token opens; undefined when it is none, has run out or was revoked. */
export function findApiToken(token: string): LiveApiToken | undefined {
  if (!SHAPE.test(token) || checksumOf(token.slice(0, -CHECKSUM_CHARS)) !== token.slice(-CHECKSUM_CHARS)) {
    return undefined;
  }
  return toLive(prepare(`${LIVE} AND secret_hash = ?`).get(wireNow(), apiTokenHash(token)));
}

/** The same by the token's id, for what was made with it. */
export function findApiTokenById(id: string): LiveApiToken | undefined {
  return toLive(prepare(`${LIVE} AND id = ?`).get(wireNow(), id));
}

/** Ends every API token of the account; returns their ids. */
export function endApiTokensOf(tx: WriteTransaction, accountId: string): string[] {
  return tx.prepare<string>('DELETE FROM api_tokens WHERE user_id = ? RETURNING id').pluck().all(accountId);
}

/** Ids of the tokens whose time ran out in between: after the first moment, up to the second. Wire dates. */
export function apiTokensThatRanOut(after: string, upTo: string): string[] {
  return prepare<string>('SELECT id FROM api_tokens WHERE expires > ? AND expires <= ?').pluck().all(after, upTo);
}
