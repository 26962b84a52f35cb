import 'server-only';
import { createHash } from 'node:crypto';
import { Lucia, type Adapter, type DatabaseSession, type DatabaseUser } from 'lucia';
import { getDb } from '@/db/client';
import { toWireDate, nowMs } from '@/lib/clock';
import { dropSingleton, singleton } from '@/lib/singleton';
import { accountById, type Account } from './accounts';

export const SESSION_COOKIE = 'berth_session';

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

/** Lucia's storage on prepared statements: a check costs microseconds. */
function createAdapter(): Adapter {
  const { sqlite } = getDb();
  const columns = 'id, user_id, expires_at, address, user_agent AS userAgent';
  const read = sqlite.prepare(`SELECT ${columns} FROM sessions WHERE id = ?`);
  const ofUser = sqlite.prepare(`SELECT ${columns} FROM sessions WHERE user_id = ?`);
  const insert = sqlite.prepare(
    'INSERT INTO sessions (id, user_id, expires_at, created, address, user_agent) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const extend = sqlite.prepare('UPDATE sessions SET expires_at = ? WHERE id = ?');
  const remove = sqlite.prepare('DELETE FROM sessions WHERE id = ?');
  const removeOfUser = sqlite.prepare('DELETE FROM sessions WHERE user_id = ?');
  const removeExpired = sqlite.prepare('DELETE FROM sessions WHERE expires_at <= ?');
  const seconds = (date: Date): number => Math.floor(date.getTime() / 1000);
  return {
    async getSessionAndUser(id) {
      const row = read.get(storedId(id)) as SessionRow | undefined;
      const account = row && accountById(row.user_id);
      if (!row || !account) return [null, null];
      return [toSession(row, id), { id: account.id, attributes: {} } as DatabaseUser];
    },
    async getUserSessions(userId) {
      return (ofUser.all(userId) as SessionRow[]).map((row) => toSession(row, row.id));
    },
    async setSession({ id, userId, expiresAt, attributes }) {
      const { address, userAgent } = attributes as SessionAttributes;
      insert.run(storedId(id), userId, seconds(expiresAt), toWireDate(nowMs()), address, userAgent);
    },
    async updateSessionExpiration(id, expiresAt) {
      extend.run(seconds(expiresAt), storedId(id));
    },
    async deleteSession(id) {
      remove.run(storedId(id));
    },
    async deleteUserSessions(userId) {
      removeOfUser.run(userId);
    },
    async deleteExpiredSessions() {
      removeExpired.run(Math.floor(nowMs() / 1000));
    },
  };
}

function lucia(): Lucia<SessionAttributes> {
  return singleton(
    'lucia',
    () =>
      new Lucia(createAdapter(), {
        sessionCookie: { name: SESSION_COOKIE, attributes: { sameSite: 'lax', secure: false } },
        getSessionAttributes: (attributes: SessionAttributes) => attributes,
      }),
  );
}

/** Drops what is bound to the database's connection: another is about to take its place. */
export function forgetSessions(): void {
  dropSingleton('lucia');
}

function serialize(sessionId: string, isSecure: boolean): string {
  const cookie = sessionId === '' ? lucia().createBlankSessionCookie() : lucia().createSessionCookie(sessionId);
  cookie.attributes.secure = isSecure;
  return cookie.serialize();
}

/** Starts a session for the account; resolves with the Set-Cookie value. */
export async function startSession(
  accountId: string,
  from: { address: string; userAgent: string; isSecure: boolean },
): Promise<string> {
  const session = await lucia().createSession(accountId, {
    address: from.address,
    userAgent: from.userAgent.slice(0, 300),
  });
  return serialize(session.id, from.isSecure);
}

/** Ends the session of the Cookie header; resolves with the Set-Cookie value that clears it. */
export async function endSession(cookieHeader: string, isSecure: boolean): Promise<string> {
  const sessionId = lucia().readSessionCookie(cookieHeader);
  if (sessionId) await lucia().invalidateSession(sessionId);
  return serialize('', isSecure);
}

/** Ends every session of the account at once, so that it can be part of a transaction. */
export function endSessionsOf(accountId: string): void {
  getDb().sqlite.prepare('DELETE FROM sessions WHERE user_id = ?').run(accountId);
}

/** Removes sessions that have run out. */
export function sweepSessions(): Promise<void> {
  return lucia().deleteExpiredSessions();
}

/** The account behind a session id, or undefined; extends a session that is past half its life. */
export async function accountOfSession(sessionId: string | null): Promise<Account | undefined> {
  if (!sessionId) return undefined;
  const { session } = await lucia().validateSession(sessionId);
  return session ? accountById(session.userId) : undefined;
}

/** The account behind a Cookie header, or undefined. */
export function accountOfCookies(cookieHeader: string): Promise<Account | undefined> {
  return accountOfSession(lucia().readSessionCookie(cookieHeader));
}
