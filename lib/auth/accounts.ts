import 'server-only';
import type { Statement } from 'better-sqlite3';
import { getDb, type Db } from '@/db/database';
import type { Actor } from '@/lib/policies/actor';

/** What signing in and checking a token need of an account. */
export interface Account {
  id: string;
  username: string;
  email: string;
  name: string;
  avatar: string;
  isAdmin: boolean;
  verified: boolean;
  enabled: boolean;
  passwordHash: string;
  tokenKey: string;
  /** Wire date since when signing in takes a second factor; empty where it does not. */
  secondFactorSince: string;
}

const COLUMNS =
  'id, username, email, name, avatar, is_admin AS isAdmin, verified, enabled, password_hash AS passwordHash, ' +
  'token_key AS tokenKey, second_factor_since AS secondFactorSince';

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
      byId: db.sqlite.prepare(`SELECT ${COLUMNS} FROM users WHERE id = ?`),
      byEmail: db.sqlite.prepare(`SELECT ${COLUMNS} FROM users WHERE email != '' AND email = ?`),
      byUsername: db.sqlite.prepare(`SELECT ${COLUMNS} FROM users WHERE lower(username) = lower(?)`),
      any: db.sqlite.prepare('SELECT 1 FROM users LIMIT 1'),
    };
    prepared.set(db, found);
  }
  return found;
}

function toAccount(row: unknown): Account | undefined {
  if (!row) return undefined;
  const raw = row as Omit<Account, 'isAdmin' | 'verified' | 'enabled'> & {
    isAdmin: number;
    verified: number;
    enabled: number;
  };
  return {
    ...raw,
    isAdmin: Boolean(raw.isAdmin),
    verified: Boolean(raw.verified),
    enabled: Boolean(raw.enabled),
  };
}

function ifEnabled(account: Account | undefined): Account | undefined {
  return account?.enabled ? account : undefined;
}

/** The account of that id, as it is now; none that is disabled, so that its tokens and sessions open nothing. */
export function accountById(id: string): Account | undefined {
  return ifEnabled(anyAccountById(id));
}

/** The account of that id, disabled or not: for whoever manages accounts. */
export function anyAccountById(id: string): Account | undefined {
  return toAccount(statements().byId.get(id));
}

/** The account that signs in by this, disabled or not: an e-mail (exact) or a username (in any case). */
export function anyAccountByIdentity(identity: string): Account | undefined {
  const { byEmail, byUsername } = statements();
  return toAccount(identity.includes('@') ? byEmail.get(identity) : byUsername.get(identity));
}

/** The account with that e-mail, letter by letter; none that is disabled, so that no mail goes to it. */
export function accountByEmail(email: string): Account | undefined {
  return ifEnabled(anyAccountByEmail(email));
}

/** The same, disabled or not. */
export function anyAccountByEmail(email: string): Account | undefined {
  return email === '' ? undefined : toAccount(statements().byEmail.get(email));
}

/** Whether anyone has an account yet. */
export function hasAnyAccount(): boolean {
  return statements().any.get() !== undefined;
}

/** Whoever signs in to an account. */
export function actorOf({ id, isAdmin }: Account): Actor {
  return { kind: 'user', id, isAdmin };
}

/** An account as what an act was done to. */
export function onAccount({ id, name, username }: Account) {
  return { collection: 'users', record: id, name: name || username };
}
