import 'server-only';
import type { Actor } from '@/lib/policies/actor';
import { prepare } from '@/lib/records/statements';

/** What signing in and checking a token need of an account. */
export interface Account {
  id: string;
  username: string;
  email: string;
  name: string;
  avatar: string;
  /** Of the interface and of mails, as a tag; empty where none was chosen. */
  language: string;
  isAdmin: boolean;
  verified: boolean;
  enabled: boolean;
  passwordHash: string;
  tokenKey: string;
  /** Wire date since when signing in takes a second factor; empty where it does not. */
  secondFactorSince: string;
}

const COLUMNS =
  'id, username, email, name, avatar, language, is_admin AS isAdmin, verified, enabled, password_hash AS passwordHash, ' +
  'token_key AS tokenKey, second_factor_since AS secondFactorSince';

const BY_ID = `SELECT ${COLUMNS} FROM users WHERE id = ?`;
const BY_EMAIL = `SELECT ${COLUMNS} FROM users WHERE email != '' AND email = ?`;
const BY_USERNAME = `SELECT ${COLUMNS} FROM users WHERE lower(username) = lower(?)`;

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
  return toAccount(prepare(BY_ID).get(id));
}

/** The account that signs in by this, disabled or not: an e-mail (exact) or a username (in any case). */
export function anyAccountByIdentity(identity: string): Account | undefined {
  return toAccount(prepare(identity.includes('@') ? BY_EMAIL : BY_USERNAME).get(identity));
}

/** The account with that e-mail, letter by letter; none that is disabled, so that no mail goes to it. */
export function accountByEmail(email: string): Account | undefined {
  return ifEnabled(anyAccountByEmail(email));
}

/** The same, disabled or not. */
export function anyAccountByEmail(email: string): Account | undefined {
  return email === '' ? undefined : toAccount(prepare(BY_EMAIL).get(email));
}

/** Whether anyone has an account yet. */
export function hasAnyAccount(): boolean {
  return prepare('SELECT 1 FROM users LIMIT 1').get() !== undefined;
}

/** Whoever signs in to an account. */
export function actorOf({ id, isAdmin }: Account): Actor {
  return { kind: 'user', id, isAdmin };
}

/** An account as what an act was done to. */
export function onAccount({ id, name, username }: Account) {
  return { collection: 'users', record: id, name: name || username };
}
