import 'server-only';
import type { IncomingMessage } from 'node:http';
import { SECURE_SESSION_COOKIE, SESSION_COOKIE } from '@/lib/auth/sessions';
import { answerVisit, findUsername } from '@/lib/forward-auth/answer-proxy';
import { isPageOpened } from '@/lib/forward-auth/asked-address';
import { cookiesOf, cookieValues } from '@/lib/forward-auth/cookies';
import { findServed, servedUntilMs } from '@/lib/forward-auth/find-address';
import type { KernelResponse } from '@/lib/http/context';
import type { AppName } from '@/lib/vocabulary/app-address';
import { type AskedApp, isForeign } from './asked-app';

/** A visit that may go on. */
export interface Entrance {
  /** Empty for somebody that nobody knows. */
  username: string;
  /** Whether it would be let in now. */
  isAllowed(): boolean;
  /** When that may end without anybody writing anything, in milliseconds since the epoch. */
  untilMs(): number;
}

interface Found {
  isPage: boolean;
  /** Names of cookies that no workspace hears of. */
  ownCookies: ReadonlySet<string>;
  cookieHeader: string;
}

/** What the parts of a request say of whoever sends it. */
export function look(request: IncomingMessage, { asked }: AskedApp): Found {
  const header = (name: string): string => [request.headers[name] ?? ''].flat().join(', ');
  const { auth, csrf } = cookiesOf(asked);
  const ownCookies = new Set([auth, csrf, SESSION_COOKIE, SECURE_SESSION_COOKIE]);
  for (const name of [...ownCookies]) if (!name.startsWith('__')) ownCookies.add(`__Host-${name}`);
  return { isPage: isPageOpened({ header }, asked), ownCookies, cookieHeader: request.headers.cookie ?? '' };
}

/** Lets a request in, or says what it is answered instead: a way to log in, or why not. */
export function admit(request: IncomingMessage, asked: AskedApp, found: Found): Entrance | KernelResponse {
  const { app, asked: address } = asked;
  const served = findServed(app);
  if (!served) return { status: 404, json: { code: 404, message: 'No workspace has this address.', data: {} } };
  const isOther = isForeign(request, address.origin);
  // Nothing that another page has a browser send counts as its person's.
  const cookieHeader = isOther ? '' : found.cookieHeader;
  const { auth } = cookiesOf(address);
  const findUser = (): string => {
    const now = findServed(app);
    return (now && findUsername(cookieValues(cookieHeader, auth), now)) ?? '';
  };
  const untilMs = (): number => servedUntilMs(app);
  if (served.served?.level === 'public') {
    return { username: findUser(), isAllowed: () => isStillPublic(app) || findUser() !== '', untilMs };
  }
  const cookies = cookiesOf(address);
  const answer = isOther
    ? { status: 403, json: { code: 403, message: 'Pages of other addresses are not let in here.', data: {} } }
    : answerVisit({ asked: address, address: served, cookieHeader, cookies, isPage: found.isPage });
  if (answer.status !== 200) return answer;
  const username = String(answer.headers?.['x-forwarded-user'] ?? '');
  return { username, isAllowed: () => isStillPublic(app) || findUser() === username, untilMs };
}

const isStillPublic = (app: AppName): boolean => findServed(app)?.served?.level === 'public';
