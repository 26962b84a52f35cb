import 'server-only';
import { prepare } from '@/lib/records/statements';
import type { WriteTransaction } from '@/lib/records/transaction';

export interface Passkey {
  id: string;
  created: string;
  userId: string;
  name: string;
  /** base64url */
  credentialId: string;
  /** COSE key */
  publicKey: Buffer;
  counter: number;
  transports: string[];
  isBackedUp: boolean;
  lastUsed: string;
}

type NewPasskey = Omit<Passkey, 'lastUsed'>;

const COLUMNS =
  'id, created, user_id AS userId, name, credential_id AS credentialId, public_key AS publicKey, counter, transports, ' +
  'is_backed_up AS isBackedUp, last_used AS lastUsed';

const INSERT =
  'INSERT INTO passkeys ' +
  '(id, created, updated, user_id, name, credential_id, public_key, counter, transports, is_backed_up) VALUES ' +
  '(@id, @created, @created, @userId, @name, @credentialId, @publicKey, @counter, @transports, @isBackedUp)';
const USE =
  'UPDATE passkeys SET counter = @counter, is_backed_up = @isBackedUp, last_used = @at ' +
  'WHERE id = @id AND (counter < @counter OR (counter = 0 AND @counter = 0))';

function toPasskey(row: unknown): Passkey {
  const raw = row as Omit<Passkey, 'transports' | 'isBackedUp'> & { transports: string | null; isBackedUp: number };
  const transports = raw.transports === null ? [] : (JSON.parse(raw.transports) as string[]);
  return { ...raw, transports, isBackedUp: Boolean(raw.isBackedUp) };
}

/** Passkeys as they are stored. */
export const passkeyStore = {
  /** Oldest first. */
  listOf: (userId: string): Passkey[] =>
    prepare(`SELECT ${COLUMNS} FROM passkeys WHERE user_id = ? ORDER BY created, id`).all(userId).map(toPasskey),
  byCredential(credentialId: string): Passkey | undefined {
    const row = prepare(`SELECT ${COLUMNS} FROM passkeys WHERE credential_id = ?`).get(credentialId);
    return row === undefined ? undefined : toPasskey(row);
  },
  insert(tx: WriteTransaction, passkey: NewPasskey): void {
    const { transports, isBackedUp, ...rest } = passkey;
    tx.prepare(INSERT).run({ ...rest, transports: JSON.stringify(transports), isBackedUp: Number(isBackedUp) });
  },
  rename(tx: WriteTransaction, userId: string, { id, name, at }: { id: string; name: string; at: string }): boolean {
    const sql = 'UPDATE passkeys SET name = ?, updated = ? WHERE id = ? AND user_id = ?';
    return tx.prepare(sql).run(name, at, id, userId).changes > 0;
  },
  /** Notes a use; false where its counter did not move on, as that of a copied key would not. */
  use(tx: WriteTransaction, use: { id: string; counter: number; isBackedUp: boolean; at: string }): boolean {
    return tx.prepare(USE).run({ ...use, isBackedUp: Number(use.isBackedUp) }).changes > 0;
  },
  remove: (tx: WriteTransaction, userId: string, id: string): boolean =>
    tx.prepare('DELETE FROM passkeys WHERE id = ? AND user_id = ?').run(id, userId).changes > 0,
  removeAll: (tx: WriteTransaction, userId: string): boolean =>
    tx.prepare('DELETE FROM passkeys WHERE user_id = ?').run(userId).changes > 0,
};
