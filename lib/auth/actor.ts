import 'server-only';
import { guest, type Actor, type CallOrigin } from '@/lib/policies/actor';
import { accountById, type Account } from './accounts';
import { isTokenOf, readClaims, type TokenPurpose } from './tokens';
import { accountOfCookies } from './sessions';

/** The parts of a request that say who sent it. */
interface RequestHead {
  readonly method: string;
  header(name: string): string;
  readonly address: string;
  readonly query: URLSearchParams;
}
type CallHead = Pick<RequestHead, 'method' | 'header' | 'address'>;

function toActor(account: Account | undefined): Actor {
  return account ? { kind: 'user', id: account.id, isAdmin: account.isAdmin } : guest;
}

function actorOfToken(token: string, userPurpose: TokenPurpose, adminPurpose: TokenPurpose): Actor {
  const claims = readClaims(token);
  const account = claims && accountById(claims.id);
  if (!claims || !account) return guest;
  if (claims.type === 'admin') {
    return account.isAdmin && isTokenOf(token, account.tokenKey, adminPurpose)
      ? { kind: 'admin', id: account.id }
      : guest;
  }
  return isTokenOf(token, account.tokenKey, userPurpose) ? toActor(account) : guest;
}

/** Who an Authorization header stands for. A token that doesn't verify makes a guest, never an error. */
export function actorOfAuthorization(authorization: string): Actor {
  const token = authorization.startsWith('Bearer ') ? authorization.slice(7) : authorization;
  return token === '' ? guest : actorOfToken(token, 'auth', 'adminAuth');
}

/** Who a file token stands for. */
export function actorOfFileToken(token: string): Actor {
  return token === '' ? guest : actorOfToken(token, 'file', 'adminFile');
}

const known = new WeakMap<object, Actor>();

/** The actor of a record API call: by its Authorization header only, so no cookie can be ridden. */
export function requestActor(context: CallHead): Actor {
  const actor = withOrigin(actorOfAuthorization(context.header('authorization')), context);
  known.set(context, actor);
  return actor;
}

/** Reads change nothing, so they are not told apart by where they came from. */
function withOrigin(actor: Actor, context: CallHead): Actor {
  if (context.method === 'GET' || context.method === 'HEAD') return actor;
  return actor.kind === 'user' || actor.kind === 'admin' ? { ...actor, from: originOf(context, actor.kind) } : actor;
}

function originOf(context: CallHead, kind: 'user' | 'admin'): CallOrigin {
  const userAgent = context.header('user-agent').slice(0, 300);
  return { address: context.address, userAgent, via: kind === 'admin' ? 'admin' : 'token' };
}

/** As `requestActor`, without asking again where a handler did: for the log. */
export function knownActor(context: CallHead): Actor {
  return known.get(context) ?? requestActor(context);
}

/**
 * The actor of a page's own call (streams, downloads, sockets): the Authorization header, a short-lived file token in
 * `?token=`, or the session cookie when the call comes from our own pages.
 */
export async function streamActor(context: RequestHead): Promise<Actor> {
  if (context.header('authorization')) return requestActor(context);
  const token = context.query.get('token');
  if (token) return actorOfFileToken(token);
  return isSameOrigin(context) ? toActor(await accountOfCookies(context.header('cookie'))) : guest;
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
