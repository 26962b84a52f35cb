import 'server-only';
import { nowMs } from '@/lib/clock';
import { prepare } from '@/lib/records/statements';
import type { WriteTransaction } from '@/lib/records/transaction';
import { writeNow } from '@/lib/records/write-now';
import { AUTH_LIFE_SECONDS, type TokenClaims } from './tokens';

/**
 * When tokens of a sign-in end before their time: one that became a session ends with it, and all that were given out before
 * the second factor was switched on ended there. A row is kept until every token that it is about has run out.
 */
const PUT =
  'INSERT INTO sign_in_sessions (sign_in_id, session_id, expires_at) VALUES (?, ?, ?) ' +
  'ON CONFLICT (sign_in_id) DO UPDATE SET session_id = excluded.session_id, expires_at = excluded.expires_at';

function endOfLife(): number {
  return Math.floor(nowMs() / 1000) + AUTH_LIFE_SECONDS;
}

/** From here on the sign-in's tokens are the session's. */
export function bindSignIn(signInId: string, sessionId: string): void {
  writeNow((tx) => tx.prepare(PUT).run(signInId, sessionId, endOfLife()));
}

/** The session that the sign-in became, over or not; undefined for one that is none. */
export function sessionOfSignIn(signInId: string): string | undefined {
  return prepare<string>('SELECT session_id FROM sign_in_sessions WHERE sign_in_id = ?').pluck().get(signInId);
}

/** Ends every token of the account that belongs to no session. */
export function endPlainTokens(tx: WriteTransaction, accountId: string): void {
  tx.prepare(PUT).run(accountId, '', endOfLife());
}

/** Whether such a token was given out before they were ended. */
export function isEndedToken(accountId: string, { exp }: Pick<TokenClaims, 'exp'>): boolean {
  const sql = 'SELECT expires_at FROM sign_in_sessions WHERE sign_in_id = ?';
  return exp < (prepare<number>(sql).pluck().get(accountId) ?? 0);
}

export function sweepSignIns(): void {
  const sql = 'DELETE FROM sign_in_sessions WHERE expires_at <= ?';
  writeNow((tx) => tx.prepare(sql).run(Math.floor(nowMs() / 1000)));
}
