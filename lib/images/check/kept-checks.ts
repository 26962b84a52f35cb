import 'server-only';
import { nowMs } from '@/lib/clock';
import { prepare } from '@/lib/records/statements';
import type { WriteTransaction } from '@/lib/records/transaction';
import { isBuildOver } from '@/lib/vocabulary/image-status';
import { removeBuildLog } from '../build-logs';

export interface ImageCheck {
  id: string;
  host: string;
  createdBy: string;
  /** As of a build. */
  status: string;
  /** Why it failed, for people. */
  message: string;
  askedAt: number;
}

const COLUMNS = 'id, host, created_by AS createdBy, status, message, asked_at AS askedAt';
/** For so long an answer is kept for who asked. */
const KEPT_MS = 60 * 60_000;

export function readCheck(id: string): ImageCheck | undefined {
  return prepare<ImageCheck>(`SELECT ${COLUMNS} FROM image_checks WHERE id = ?`).get(id);
}

/** The checks of a person, the newest first. */
export function listChecksOf(userId: string): ImageCheck[] {
  const sql = `SELECT ${COLUMNS} FROM image_checks WHERE created_by = ? ORDER BY asked_at DESC`;
  return prepare<ImageCheck>(sql).all(userId);
}

/** Keeps a check that is asked for, and forgets those that nobody will ask about again. */
export function insertCheck(tx: WriteTransaction, check: Omit<ImageCheck, 'askedAt' | 'message'>): void {
  const before = nowMs() - KEPT_MS;
  for (const old of prepare<ImageCheck>(`SELECT ${COLUMNS} FROM image_checks WHERE asked_at < ?`).all(before)) {
    removeBuildLog(tx, old.id);
    tx.prepare('DELETE FROM image_checks WHERE id = ?').run(old.id);
  }
  tx.prepare('INSERT INTO image_checks (id, host, created_by, status, asked_at) VALUES (?, ?, ?, ?, ?)').run(
    check.id,
    check.host,
    check.createdBy,
    check.status,
    nowMs(),
  );
}

/** Brings a check up to what its host says of it; false when there is none of that id on it. */
export function moveCheck(
  tx: WriteTransaction,
  { id, hostId, status, message }: { id: string; hostId: string; status: string; message: string },
): boolean {
  const check = readCheck(id);
  if (check?.host !== hostId) return false;
  if (isBuildOver(check.status)) return true;
  tx.prepare('UPDATE image_checks SET status = ?, message = ? WHERE id = ?').run(status, message, id);
  return true;
}
