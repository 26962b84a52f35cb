import 'server-only';
import type { Statement } from 'better-sqlite3';
import { getDb, type Db } from '@/db/database';

export interface StoredTotp {
  /** Encrypted. */
  secret: string;
  /** Wire date; empty until a code has shown that the app knows the secret. */
  confirmed: string;
}

interface Statements {
  readTotp: Statement<[string]>;
  putTotp: Statement<[string, string, string]>;
  confirmTotp: Statement<[string, string]>;
  useStep: Statement<[number, string, number]>;
  removeTotp: Statement<[string]>;
  addCode: Statement<[string, string]>;
  useCode: Statement<[string, string, string]>;
  countCodes: Statement<[string]>;
  removeCodes: Statement<[string]>;
}

const prepared = new WeakMap<Db, Statements>();

function statements(): Statements {
  const db = getDb();
  let found = prepared.get(db);
  if (!found) {
    const { sqlite } = db;
    found = {
      readTotp: sqlite.prepare('SELECT secret, confirmed FROM totp_secrets WHERE user_id = ?'),
      putTotp: sqlite.prepare(
        "INSERT INTO totp_secrets (user_id, secret, created, confirmed, last_step) VALUES (?, ?, ?, '', 0) " +
          'ON CONFLICT (user_id) DO UPDATE SET secret = excluded.secret, created = excluded.created, last_step = 0 ' +
          "WHERE confirmed = ''",
      ),
      confirmTotp: sqlite.prepare("UPDATE totp_secrets SET confirmed = ? WHERE user_id = ? AND confirmed = ''"),
      useStep: sqlite.prepare('UPDATE totp_secrets SET last_step = ? WHERE user_id = ? AND last_step < ?'),
      removeTotp: sqlite.prepare('DELETE FROM totp_secrets WHERE user_id = ?'),
      addCode: sqlite.prepare('INSERT INTO recovery_codes (user_id, code_hash) VALUES (?, ?)'),
      useCode: sqlite.prepare("UPDATE recovery_codes SET used = ? WHERE user_id = ? AND code_hash = ? AND used = ''"),
      countCodes: sqlite
        .prepare<[string]>("SELECT COUNT(*) FROM recovery_codes WHERE user_id = ? AND used = ''")
        .pluck(),
      removeCodes: sqlite.prepare('DELETE FROM recovery_codes WHERE user_id = ?'),
    };
    prepared.set(db, found);
  }
  return found;
}

/** Second factors as they are stored. Everything is synchronous, so that it can be part of a transaction. */
export const factorStore = {
  totpOf: (userId: string) => statements().readTotp.get(userId) as StoredTotp | undefined,
  /** Keeps a secret that waits for its first code, in place of another that does; false where one is in use. */
  startTotp: (userId: string, { secret, at }: { secret: string; at: string }): boolean =>
    statements().putTotp.run(userId, secret, at).changes > 0,
  confirmTotp: (userId: string, at: string): boolean => statements().confirmTotp.run(at, userId).changes > 0,
  /** Takes a time step; false where it or a later one was used: a code works once. */
  useTotpStep: (userId: string, step: number): boolean => statements().useStep.run(step, userId, step).changes > 0,
  removeTotp: (userId: string): boolean => statements().removeTotp.run(userId).changes > 0,
  /** Replaces the recovery codes by these hashes. */
  setRecoveryCodes(userId: string, hashes: readonly string[]): void {
    statements().removeCodes.run(userId);
    for (const hash of hashes) statements().addCode.run(userId, hash);
  },
  /** Takes a recovery code; false where there is no such code or it was used. */
  useRecoveryCode: (userId: string, { hash, at }: { hash: string; at: string }): boolean =>
    statements().useCode.run(at, userId, hash).changes > 0,
  countRecoveryCodes: (userId: string) => statements().countCodes.get(userId) as number,
};
