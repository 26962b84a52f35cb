import 'server-only';
import type { Statement } from 'better-sqlite3';
import { getDb, type Db } from '@/db/database';

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

interface Statements {
  ofUser: Statement<[string]>;
  byCredential: Statement<[string]>;
  insert: Statement<[Record<string, unknown>]>;
  rename: Statement<[string, string, string, string]>;
  use: Statement<[Record<string, unknown>]>;
  remove: Statement<[string, string]>;
  removeAll: Statement<[string]>;
}

const prepared = new WeakMap<Db, Statements>();

function statements(): Statements {
  const db = getDb();
  let found = prepared.get(db);
  if (!found) {
    const { sqlite } = db;
    found = {
      ofUser: sqlite.prepare(`SELECT ${COLUMNS} FROM passkeys WHERE user_id = ? ORDER BY created, id`),
      byCredential: sqlite.prepare(`SELECT ${COLUMNS} FROM passkeys WHERE credential_id = ?`),
      insert: sqlite.prepare(
        'INSERT INTO passkeys ' +
          '(id, created, updated, user_id, name, credential_id, public_key, counter, transports, is_backed_up) VALUES ' +
          '(@id, @created, @created, @userId, @name, @credentialId, @publicKey, @counter, @transports, @isBackedUp)',
      ),
      rename: sqlite.prepare('UPDATE passkeys SET name = ?, updated = ? WHERE id = ? AND user_id = ?'),
      use: sqlite.prepare(
        'UPDATE passkeys SET counter = @counter, is_backed_up = @isBackedUp, last_used = @at ' +
          'WHERE id = @id AND (counter < @counter OR (counter = 0 AND @counter = 0))',
      ),
      remove: sqlite.prepare('DELETE FROM passkeys WHERE id = ? AND user_id = ?'),
      removeAll: sqlite.prepare('DELETE FROM passkeys WHERE user_id = ?'),
    };
    prepared.set(db, found);
  }
  return found;
}

function toPasskey(row: unknown): Passkey {
  const raw = row as Omit<Passkey, 'transports' | 'isBackedUp'> & { transports: string | null; isBackedUp: number };
  const transports = raw.transports === null ? [] : (JSON.parse(raw.transports) as string[]);
  return { ...raw, transports, isBackedUp: Boolean(raw.isBackedUp) };
}

/** Passkeys as they are stored. Everything is synchronous, so that it can be part of a transaction. */
export const passkeyStore = {
  /** Oldest first. */
  listOf: (userId: string): Passkey[] => statements().ofUser.all(userId).map(toPasskey),
  byCredential(credentialId: string): Passkey | undefined {
    const row = statements().byCredential.get(credentialId);
    return row === undefined ? undefined : toPasskey(row);
  },
  insert(passkey: NewPasskey): void {
    const { transports, isBackedUp, ...rest } = passkey;
    statements().insert.run({ ...rest, transports: JSON.stringify(transports), isBackedUp: Number(isBackedUp) });
  },
  rename: (userId: string, { id, name, at }: { id: string; name: string; at: string }): boolean =>
    statements().rename.run(name, at, id, userId).changes > 0,
  /** Notes a use; false where its counter did not move on, as that of a copied key would not. */
  use: ({ isBackedUp, ...use }: { id: string; counter: number; isBackedUp: boolean; at: string }): boolean =>
    statements().use.run({ ...use, isBackedUp: Number(isBackedUp) }).changes > 0,
  remove: (userId: string, id: string): boolean => statements().remove.run(id, userId).changes > 0,
  removeAll: (userId: string): boolean => statements().removeAll.run(userId).changes > 0,
};
