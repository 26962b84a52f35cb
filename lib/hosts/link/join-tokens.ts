import 'server-only';
import { prepare } from '@/lib/records/statements';
import type { WriteTransaction } from '@/lib/records/transaction';

export interface JoinToken {
  id: string;
  /** SHA-256 of the token, hex. */
  hash: string;
  /** The name that the host must take; empty leaves it to the agent. */
  name: string;
  createdBy: string;
  /** Wire date. */
  created: string;
  expiresAtMs: number;
  usesLeft: number;
  mayReplaceKey: boolean;
}

type Row = Omit<JoinToken, 'mayReplaceKey'> & { mayReplaceKey: number };

const COLUMNS = `id, hash, name, created_by AS createdBy, created, expires_at_ms AS expiresAtMs, uses_left AS usesLeft,
  may_replace_key AS mayReplaceKey`;

export function insertJoinToken(tx: WriteTransaction, token: JoinToken): void {
  tx.prepare(
    `INSERT INTO join_tokens (id, hash, name, created_by, created, expires_at_ms, uses_left, may_replace_key)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    token.id,
    token.hash,
    token.name,
    token.createdBy,
    token.created,
    token.expiresAtMs,
    token.usesLeft,
    token.mayReplaceKey ? 1 : 0,
  );
}

export function findJoinToken(hash: string): JoinToken | undefined {
  const row = prepare<Row>(`SELECT ${COLUMNS} FROM join_tokens WHERE hash = ?`).get(hash);
  return row && { ...row, mayReplaceKey: row.mayReplaceKey === 1 };
}

/** Takes one use of a token; false when none is left. */
export function takeUse(tx: WriteTransaction, tokenId: string): boolean {
  return (
    tx.prepare('UPDATE join_tokens SET uses_left = uses_left - 1 WHERE id = ? AND uses_left > 0').run(tokenId).changes >
    0
  );
}

export function removeJoinToken(tx: WriteTransaction, hash: string): void {
  tx.prepare('DELETE FROM join_tokens WHERE hash = ?').run(hash);
}

export function removeExpiredTokens(tx: WriteTransaction, nowMs: number): void {
  tx.prepare('DELETE FROM join_tokens WHERE expires_at_ms < ?').run(nowMs);
}
