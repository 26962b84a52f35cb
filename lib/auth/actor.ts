import 'server-only';
import { AppError } from '@/lib/errors';
import { credentialOf, guest, system, type Actor, type CallOrigin, type Credential, wayOf } from '@/lib/policies/actor';
import { lacksSecondFactor } from './required-factor';
import { accountById, type Account } from './accounts';
import { API_TOKEN_PREFIX, findApiToken, findApiTokenById } from './api-tokens';
import { lastUses } from './last-used';
import { provenCallers } from './proven-callers';
import { isLiveSession, sessionOfCookies } from './sessions';
import { isEndedToken, sessionOfSignIn } from './sign-in-ends';
import { isTokenOf, readClaims, type TokenClaims, type TokenPurpose } from './tokens';

/** The parts of a request that say who sent it. */
interface RequestHead {
  readonly method: string;
  readonly path: string;
  header(name: string): string;
  readonly address: string;
  readonly query: URLSearchParams;
}
type CallHead = Omit<RequestHead, 'query'>;

/** Who an account is to the rules: nobody while it lacks a second factor that it must have. The one place where actors are made. */
function toActor(account: Account | undefined, by?: Credential): Actor {
  if (!account || lacksSecondFactor(account)) return guest;
  return { kind: 'user', id: account.id, isAdmin: account.isAdmin, ...(by && { by }) };
}

/** Who a user is to the rules at this moment, for what was asked for earlier and is done now. The console itself has no id. */
export function actorOfUser(userId: string): Actor {
  return userId === '' ? system : toActor(accountById(userId));
}

function actorOfToken(token: string, userPurpose: TokenPurpose, adminPurpose: TokenPurpose): Actor {
  const claims = readClaims(token);
  const account = claims && accountById(claims.id);
  if (!claims || !account) return guest;
  if (claims.type === 'admin') {
    const isProven = account.isAdmin && isTokenOf(token, account.tokenKey, adminPurpose);
    return isProven && toActor(account).kind === 'user' ? { kind: 'admin', id: account.id } : guest;
  }
  return isTokenOf(token, account.tokenKey, userPurpose) ? actorOfClaims(account, claims) : guest;
}

/** A token that belongs to a session or to an API token is over with it, and so is one whose sign-in became a session. */
function actorOfClaims(account: Account, claims: TokenClaims): Actor {
  const { tid, lid } = claims;
  const sid = claims.sid ?? (lid === undefined ? undefined : sessionOfSignIn(lid));
  if (sid !== undefined) return isLiveSession(account.id, sid) ? toActor(account, { kind: 'session', id: sid }) : guest;
  if (tid === undefined) return isEndedToken(account.id, claims) ? guest : toActor(account);
  const live = findApiTokenById(tid);
  return live?.accountId === account.id ? toActor(account, live.credential) : guest;
}

function actorOfApiToken(token: string): Actor {
  const live = findApiToken(token);
  return live ? toActor(accountById(live.accountId), live.credential) : guest;
}

function withoutScheme(authorization: string): string {
  return authorization.startsWith('Bearer ') ? authorization.slice(7) : authorization;
}

/** Who an Authorization header stands for. A token that doesn't verify makes a guest, never an error. */
export function actorOfAuthorization(authorization: string): Actor {
  const token = withoutScheme(authorization);
  if (token === '') return guest;
  return token.startsWith(API_TOKEN_PREFIX) ? actorOfApiToken(token) : actorOfToken(token, 'auth', 'adminAuth');
}

/** The sign-in that a proven token came from; undefined for tokens of sessions, and for those from before sign-ins had names. */
export function signInOfAuthorization(authorization: string): string | undefined {
  return readClaims(withoutScheme(authorization))?.lid;
}

/** The account that may set up the second factor that it lacks, by the token that its sign-in answered. */
export function accountOfEnrolment(authorization: string): Account | undefined {
  const token = withoutScheme(authorization);
  const claims = readClaims(token);
  const account = claims && accountById(claims.id);
  if (!account || account.secondFactorSince !== '') return undefined;
  return isTokenOf(token, account.tokenKey, 'enrolment') ? account : undefined;
}

/** Who a file token stands for. */
export function actorOfFileToken(token: string): Actor {
  return token === '' ? guest : actorOfToken(token, 'file', 'adminFile');
}

const known = new WeakMap<object, Actor>();

function findActor(context: CallHead): Actor {
  const authorization = context.header('authorization');
  const proven = authorization && provenCallers().actorOf(authorization, () => actorOfAuthorization(authorization));
  const actor = withOrigin(proven || guest, context);
  known.set(context, actor);
  noteUse(actor, context.address);
  return actor;
}

function noteUse(actor: Actor, address: string): void {
  const by = credentialOf(actor);
  if (by) lastUses().note(by.kind, by.id, address);
}

/**
 * The actor of a record API call: by its Authorization header only, so no cookie can be ridden. Throws AppError `forbidden`
 * for an API token that may only read.
 */
export function requestActor(context: CallHead): Actor {
  const actor = findActor(context);
  refuseBeyondScope(actor, context);
  return actor;
}

/** Calls that change nothing that lasts, though their method says otherwise. */
const READING_POSTS = new Set(['/api/realtime', '/api/files/token', '/api/images/preview']);

/** A socket may carry anything, so it is more than a read. */
function isRead(context: CallHead): boolean {
  const { method, path } = context;
  if (method === 'GET' || method === 'HEAD') return context.header('upgrade') === '';
  return method === 'POST' && READING_POSTS.has(path);
}

function refuseBeyondScope(actor: Actor, context: CallHead): void {
  const by = credentialOf(actor);
  if (by?.kind !== 'apiToken' || by.scope !== 'read') return;
  if (isRead(context)) return;
  throw new AppError('forbidden', 'This API token may only read.');
}

/** Reads change nothing, so they are not told apart by where they came from. */
function withOrigin(actor: Actor, context: CallHead): Actor {
  if (context.method === 'GET' || context.method === 'HEAD') return actor;
  return actor.kind === 'user' || actor.kind === 'admin' ? { ...actor, from: originOf(context, actor) } : actor;
}

function originOf(context: CallHead, actor: Actor): CallOrigin {
  const userAgent = context.header('user-agent').slice(0, 300);
  return { address: context.address, userAgent, via: wayOf(actor) };
}

/** As `requestActor`, without asking again where a handler did and without refusing: for the log. */
export function knownActor(context: CallHead): Actor {
  return known.get(context) ?? findActor(context);
}

/**
 * The actor of a page's own call (streams, downloads, sockets): the Authorization header, a short-lived file token in
 * `?token=`, or the session cookie when the call comes from our own pages. Throws as `requestActor` does.
 */
export async function streamActor(context: RequestHead): Promise<Actor> {
  if (context.header('authorization')) return requestActor(context);
  const actor = await actorOfStream(context);
  noteUse(actor, context.address);
  refuseBeyondScope(actor, context);
  return actor;
}

async function actorOfStream(context: RequestHead): Promise<Actor> {
  const token = context.query.get('token');
  if (token) return actorOfFileToken(token);
  const session = isSameOrigin(context) ? await sessionOfCookies(context.header('cookie')) : undefined;
  return session ? toActor(session.account, { kind: 'session', id: session.id }) : guest;
}

/** Whether a request was sent by our own pages or typed by the user, judged by what browsers say and pages can't forge. */
export function isSameOrigin(context: Pick<RequestHead, 'header'>): boolean {
  const site = context.header('sec-fetch-site');
  if (site) return site === 'same-origin' || site === 'none';
  const origin = context.header('origin') || context.header('referer');
  if (!origin) return false;
  try {
    return new URL(origin).host === context.header('host');
  } catch {
    return false;
  }
}
