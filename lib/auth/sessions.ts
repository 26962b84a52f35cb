import 'server-only';
import { createHash } from 'node:crypto';
import { Cookie, Lucia, type Adapter, type DatabaseSession, type DatabaseUser } from 'lucia';
import { toWireDate, nowMs } from '@/lib/clock';
import { tellCredentialEnds } from './credential-ends';
import { singleton } from '@/lib/singleton';
import { lacksSecondFactor } from './required-factor';
import { prepare } from '@/lib/records/statements';
import type { WriteTransaction } from '@/lib/records/transaction';
import { writeNow } from '@/lib/records/write-now';
import { accountById, type Account } from './accounts';
import { lastUses } from './last-used';

export const SESSION_COOKIE = 'berth_session';
/** Over https: a browser takes it from this very host alone, so no neighbour domain can put one of its own in its place. */
export const SECURE_SESSION_COOKIE = `__Host-${SESSION_COOKIE}`;

declare module 'lucia' {
  interface Register {
    Lucia: Lucia<SessionAttributes>;
    DatabaseSessionAttributes: SessionAttributes;
  }
}

interface SessionAttributes {
  address: string;
  userAgent: string;
}

interface SessionRow extends SessionAttributes {
  id: string;
  user_id: string;
  expires_at: number;
}

/** The database keeps a hash, so a stolen copy of it opens no session. */
function storedId(sessionId: string): string {
  return createHash('sha256').update(sessionId).digest('hex');
}

function toSession(row: SessionRow, id: string): DatabaseSession {
  return {
    id,
    userId: row.user_id,
    expiresAt: new Date(row.expires_at * 1000),
    attributes: { address: row.address, userAgent: row.userAgent },
  } as DatabaseSession;
}

const COLUMNS = 'id, user_id, expires_at, address, user_agent AS userAgent';
const INSERT =
  'INSERT INTO sessions (id, user_id, expires_at, created, last_used, address, user_agent) VALUES (?, ?, ?, ?, ?, ?, ?)';
const END_OF = 'DELETE FROM sessions WHERE user_id = ? AND id != ? RETURNING id';
const LIST =
  'SELECT id, address, user_agent AS userAgent, created, last_used AS lastUsed, expires_at AS expiresAt ' +
  'FROM sessions WHERE user_id = ? AND expires_at > ? ORDER BY last_used DESC, created DESC';

function inSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}

/** Lucia's storage on prepared statements: a check costs microseconds. It goes on while a backup is restored, as pages do. */
const adapter: Adapter = {
  async getSessionAndUser(id) {
    const row = prepare<SessionRow>(`SELECT ${COLUMNS} FROM sessions WHERE id = ?`).get(storedId(id));
    const account = row && accountById(row.user_id);
    if (!row || !account) return [null, null];
    return [toSession(row, id), { id: account.id, attributes: {} } as DatabaseUser];
  },
  async getUserSessions(userId) {
    const rows = prepare<SessionRow>(`SELECT ${COLUMNS} FROM sessions WHERE user_id = ?`).all(userId);
    return rows.map((row) => toSession(row, row.id));
  },
  async setSession({ id, userId, expiresAt, attributes }) {
    const { address, userAgent } = attributes as SessionAttributes;
    const now = toWireDate(nowMs());
    const values = [storedId(id), userId, inSeconds(expiresAt), now, now, address, userAgent];
    writeNow((tx) => tx.prepare(INSERT).run(...values));
  },
  async updateSessionExpiration(id, expiresAt) {
    const sql = 'UPDATE sessions SET expires_at = ? WHERE id = ?';
    writeNow((tx) => tx.prepare(sql).run(inSeconds(expiresAt), storedId(id)));
  },
  async deleteSession(id) {
    writeNow((tx) => tx.prepare('DELETE FROM sessions WHERE id = ?').run(storedId(id)));
    tellCredentialEnds([storedId(id)]);
  },
  async deleteUserSessions(userId) {
    writeNow((tx) => endSessionsOf(tx, userId));
  },
  async deleteExpiredSessions() {
    const sql = 'DELETE FROM sessions WHERE expires_at <= ? RETURNING id';
    tellCredentialEnds(
      writeNow((tx) =>
        tx
          .prepare<string>(sql)
          .pluck()
          .all(Math.floor(nowMs() / 1000)),
      ),
    );
  },
};

function lucia(): Lucia<SessionAttributes> {
  return singleton(
    'lucia',
    () =>
      new Lucia(adapter, {
        sessionCookie: { name: SESSION_COOKIE, attributes: { sameSite: 'lax', secure: false } },
        getSessionAttributes: (attributes: SessionAttributes) => attributes,
      }),
  );
}

/** Over https the other name is cleared with it: it may be left from before, or from plain http. */
function serialize(sessionId: string, isSecure: boolean): string[] {
  const cookie = sessionId === '' ? lucia().createBlankSessionCookie() : lucia().createSessionCookie(sessionId);
  cookie.attributes.secure = isSecure;
  if (!isSecure) return [cookie.serialize()];
  const before = lucia().createBlankSessionCookie();
  before.attributes.secure = true;
  return [new Cookie(SECURE_SESSION_COOKIE, cookie.value, cookie.attributes).serialize(), before.serialize()];
}

/** The session id that the browser sent; the https one counts where both are there. */
export function sessionIdOf(cookieOf: (name: string) => string | undefined): string | null {
  return cookieOf(SECURE_SESSION_COOKIE) || cookieOf(SESSION_COOKIE) || null;
}

const SECURE_IN_HEADER = new RegExp(`(?:^|;\\s*)${SECURE_SESSION_COOKIE}=([^;\\s]+)`);

function readSessionId(cookieHeader: string): string | null {
  return SECURE_IN_HEADER.exec(cookieHeader)?.[1] ?? lucia().readSessionCookie(cookieHeader);
}

/** A session that has begun: what the browser keeps, and the id that tokens and lists name. */
export interface StartedSession {
  setCookie: string[];
  id: string;
}

/** Starts a session for the account. */
export async function startSession(
  accountId: string,
  from: { address: string; userAgent: string; isSecure: boolean },
): Promise<StartedSession> {
  const session = await lucia().createSession(accountId, {
    address: from.address,
    userAgent: from.userAgent.slice(0, 300),
  });
  return { setCookie: serialize(session.id, from.isSecure), id: storedId(session.id) };
}

/** Ends the session of the Cookie header; resolves with the Set-Cookie values that clear it. */
export async function endSession(cookieHeader: string, isSecure: boolean): Promise<string[]> {
  const sessionId = readSessionId(cookieHeader);
  if (sessionId) await lucia().invalidateSession(sessionId);
  return serialize('', isSecure);
}

/**
 * Ends the sessions of the account; one may stay. Returns their ids, for `tellCredentialEnds` after the commit: a renewed
 * token key says the same.
 */
export function endSessionsOf(tx: WriteTransaction, accountId: string, { except = '' } = {}): string[] {
  return tx.prepare<string>(END_OF).pluck().all(accountId, except);
}

/** Ends one session of the account; false where it has no such session. */
export function endSessionById(tx: WriteTransaction, accountId: string, id: string): boolean {
  const isEnded = tx.prepare('DELETE FROM sessions WHERE id = ? AND user_id = ?').run(id, accountId).changes > 0;
  if (isEnded) tx.afterCommit.push(() => tellCredentialEnds([id]));
  return isEnded;
}

/** Removes sessions that have run out. */
export function sweepSessions(): Promise<void> {
  return lucia().deleteExpiredSessions();
}

export interface SessionEntry {
  id: string;
  address: string;
  userAgent: string;
  created: string;
  lastUsed: string;
  expires: string;
}

/** The account's live sessions, the last used first. */
export function listSessions(accountId: string): SessionEntry[] {
  lastUses().flush();
  type Row = Omit<SessionEntry, 'expires'> & { expiresAt: number };
  const rows = prepare<Row>(LIST).all(accountId, Math.floor(nowMs() / 1000));
  return rows.map(({ expiresAt, ...row }) => ({ ...row, expires: toWireDate(expiresAt * 1000) }));
}

/** Whether the account's session is going on. Asked with every call that a page makes. */
export function isLiveSession(accountId: string, id: string): boolean {
  const sql = 'SELECT 1 FROM sessions WHERE id = ? AND user_id = ? AND expires_at > ?';
  return prepare(sql).get(id, accountId, Math.floor(nowMs() / 1000)) !== undefined;
}

export interface FoundSession {
  account: Account;
  /** As tokens and lists name it. */
  id: string;
}

async function findSession(sessionId: string | null): Promise<FoundSession | undefined> {
  if (!sessionId) return undefined;
  const { session } = await lucia().validateSession(sessionId);
  const account = session ? accountById(session.userId) : undefined;
  return account && !lacksSecondFactor(account) ? { account, id: storedId(sessionId) } : undefined;
}

/** The account behind a session id, or undefined, also while it lacks a second factor that it must have; extends a session that is past half its life. */
export async function accountOfSession(sessionId: string | null): Promise<Account | undefined> {
  return (await findSession(sessionId))?.account;
}

/** The session behind a Cookie header, or undefined. */
export function sessionOfCookies(cookieHeader: string): Promise<FoundSession | undefined> {
  return findSession(readSessionId(cookieHeader));
}
