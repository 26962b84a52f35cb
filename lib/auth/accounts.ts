import 'server-only';
import type { Statement } from 'better-sqlite3';
import { getDb, type Db } from '@/db/client';

/** What signing in and checking a token need of an account. */
export interface Account {
  id: string;
  username: string;
  email: string;
  name: string;
  avatar: string;
  isAdmin: boolean;
  verified: boolean;
  passwordHash: string;
  tokenKey: string;
  /** Wire date since when signing in takes a second factor; empty where it does not. */
  secondFactorSince: string;
}

const COLUMNS =
  'id, username, email, name, avatar, is_admin AS isAdmin, verified, password_hash AS passwordHash, ' +
  'token_key AS tokenKey, second_factor_since AS secondFactorSince';

/** A disabled account is none to whoever signs in or holds one of its tokens. */
const ENABLED = 'FROM users WHERE enabled = 1 AND';

interface Statements {
  byId: Statement<[string]>;
  byEmail: Statement<[string]>;
  byUsername: Statement<[string]>;
  any: Statement<[]>;
}

const prepared = new WeakMap<Db, Statements>();

function statements(): Statements {
  const db = getDb();
  let found = prepared.get(db);
  if (!found) {
    found = {
      byId: db.sqlite.prepare(`SELECT ${COLUMNS} ${ENABLED} id = ?`),
      byEmail: db.sqlite.prepare(`SELECT ${COLUMNS} ${ENABLED} email != '' AND email = ?`),
      byUsername: db.sqlite.prepare(`SELECT ${COLUMNS} ${ENABLED} lower(username) = lower(?)`),
      any: db.sqlite.prepare('SELECT 1 FROM users LIMIT 1'),
    };
    prepared.set(db, found);
  }
  return found;
}

function toAccount(row: unknown): Account | undefined {
  if (!row) return undefined;
  const raw = row as Omit<Account, 'isAdmin' | 'verified'> & { isAdmin: number; verified: number };
  return { ...raw, isAdmin: Boolean(raw.isAdmin), verified: Boolean(raw.verified) };
}

/** The account of that id, as it is now; undefined also while it is disabled. */
export function accountById(id: string): Account | undefined {
  return toAccount(statements().byId.get(id));
}

/** The account that signs in by this: an e-mail (exact) or a username (in any case). */
export function accountByIdentity(identity: string): Account | undefined {
  const { byEmail, byUsername } = statements();
  return toAccount(identity.includes('@') ? byEmail.get(identity) : byUsername.get(identity));
}

/** The account with that e-mail, letter by letter. */
export function accountByEmail(email: string): Account | undefined {
  return email === '' ? undefined : toAccount(statements().byEmail.get(email));
}

/** Whether anyone has an account yet. */
export function hasAnyAccount(): boolean {
  return statements().any.get() !== undefined;
}
