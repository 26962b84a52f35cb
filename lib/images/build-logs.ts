import 'server-only';
import { prepare } from '@/lib/records/statements';
import type { WriteTransaction } from '@/lib/records/transaction';

export interface LogChunk {
  sequence: number;
  text: string;
}

export interface BuildLogState {
  /** Every chunk up to this sequence is held, or was dropped past the limit. */
  acknowledged: number;
  bytes: number;
  truncated: boolean;
}

type StateRow = { acknowledged: number; bytes: number; truncated: number };

export function getLogState(buildId: string): BuildLogState {
  const sql = 'SELECT acknowledged, bytes, truncated FROM build_logs WHERE build = ?';
  const row = prepare<StateRow>(sql).get(buildId);
  return row ? { ...row, truncated: row.truncated === 1 } : { acknowledged: 0, bytes: 0, truncated: false };
}

export function putLogState(tx: WriteTransaction, buildId: string, state: BuildLogState): void {
  tx.prepare(
    `INSERT INTO build_logs (build, acknowledged, bytes, truncated) VALUES (?, ?, ?, ?) ON CONFLICT (build) DO UPDATE SET
       acknowledged = excluded.acknowledged, bytes = excluded.bytes, truncated = excluded.truncated`,
  ).run(buildId, state.acknowledged, state.bytes, state.truncated ? 1 : 0);
}

/** Stores a chunk; false when its sequence is held already. */
export function insertChunk(tx: WriteTransaction, buildId: string, chunk: LogChunk): boolean {
  const sql = 'INSERT OR IGNORE INTO build_log_chunks (build, sequence, text) VALUES (?, ?, ?)';
  return tx.prepare(sql).run(buildId, chunk.sequence, chunk.text).changes > 0;
}

export function hasChunk(buildId: string, sequence: number): boolean {
  const sql = 'SELECT 1 AS found FROM build_log_chunks WHERE build = ? AND sequence = ?';
  return prepare<{ found: number }>(sql).get(buildId, sequence) !== undefined;
}

/** Chunks after one sequence and up to another, in order, at most `limit`. */
export function listChunks(buildId: string, range: { after: number; upTo: number; limit: number }): LogChunk[] {
  return prepare<LogChunk>(
    `SELECT sequence, text FROM build_log_chunks WHERE build = ? AND sequence > ? AND sequence <= ? ORDER BY sequence LIMIT ?`,
  ).all(buildId, range.after, range.upTo, range.limit);
}

export function removeBuildLog(tx: WriteTransaction, buildId: string): void {
  tx.prepare('DELETE FROM build_log_chunks WHERE build = ?').run(buildId);
  tx.prepare('DELETE FROM build_logs WHERE build = ?').run(buildId);
}
