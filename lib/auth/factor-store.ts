import 'server-only';
import { prepare } from '@/lib/records/statements';
import type { WriteTransaction } from '@/lib/records/transaction';

export interface StoredTotp {
  /** Encrypted. */
  secret: string;
  /** Wire date; empty until a code has shown that the app knows the secret. */
  confirmed: string;
}

const START_TOTP =
  "INSERT INTO totp_secrets (user_id, secret, created, confirmed, last_step) VALUES (?, ?, ?, '', 0) " +
  'ON CONFLICT (user_id) DO UPDATE SET secret = excluded.secret, created = excluded.created, last_step = 0 ' +
  "WHERE confirmed = ''";
const CONFIRM_TOTP = "UPDATE totp_secrets SET confirmed = ? WHERE user_id = ? AND confirmed = ''";
const USE_STEP = 'UPDATE totp_secrets SET last_step = ? WHERE user_id = ? AND last_step < ?';
const USE_CODE = "UPDATE recovery_codes SET used = ? WHERE user_id = ? AND code_hash = ? AND used = ''";
const COUNT_CODES = "SELECT COUNT(*) FROM recovery_codes WHERE user_id = ? AND used = ''";

/** Second factors as they are stored. */
export const factorStore = {
  totpOf: (userId: string) =>
    prepare<StoredTotp>('SELECT secret, confirmed FROM totp_secrets WHERE user_id = ?').get(userId),
  /** Keeps a secret that waits for its first code, in place of another that does; false where one is in use. */
  startTotp: (tx: WriteTransaction, userId: string, { secret, at }: { secret: string; at: string }): boolean =>
    tx.prepare(START_TOTP).run(userId, secret, at).changes > 0,
  confirmTotp: (tx: WriteTransaction, userId: string, at: string): boolean =>
    tx.prepare(CONFIRM_TOTP).run(at, userId).changes > 0,
  /** Takes a time step; false where it or a later one was used: a code works once. */
  useTotpStep: (tx: WriteTransaction, userId: string, step: number): boolean =>
    tx.prepare(USE_STEP).run(step, userId, step).changes > 0,
  removeTotp: (tx: WriteTransaction, userId: string): boolean =>
    tx.prepare('DELETE FROM totp_secrets WHERE user_id = ?').run(userId).changes > 0,
  /** Replaces the recovery codes by these hashes. */
  setRecoveryCodes(tx: WriteTransaction, userId: string, hashes: readonly string[]): void {
    tx.prepare('DELETE FROM recovery_codes WHERE user_id = ?').run(userId);
    for (const hash of hashes) {
      tx.prepare('INSERT INTO recovery_codes (user_id, code_hash) VALUES (?, ?)').run(userId, hash);
    }
  },
  /** Takes a recovery code; false where there is no such code or it was used. */
  useRecoveryCode: (tx: WriteTransaction, userId: string, { hash, at }: { hash: string; at: string }): boolean =>
    tx.prepare(USE_CODE).run(at, userId, hash).changes > 0,
  countRecoveryCodes: (userId: string) => prepare<number>(COUNT_CODES).pluck().get(userId)!,
};
