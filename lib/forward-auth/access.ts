import 'server-only';
import { z } from 'zod';
import { versionOf } from '@/db/versions';
import type { Account } from '@/lib/auth/accounts';
import { listenToCredentialEnds } from '@/lib/auth/credential-ends';
import { isLiveSession } from '@/lib/auth/sessions';
import { isEndedToken, sessionOfSignIn } from '@/lib/auth/sign-in-ends';
import { nowMs } from '@/lib/clock';
import { Lru } from '@/lib/lru';
import { forwardAuthSetting } from '@/lib/settings/forward-auth';
import { singleton } from '@/lib/singleton';
import type { KnownAddress } from './address-index';
import { basisOf, usableAccount } from './may-open';
import { hashOf, readSigned, signText } from './signed';

/** What the log-in at the console hung on: a browser's session, or a token with an end of its own. */
export const loginSchema = z.strictObject({
  session: z.string().optional(),
  signIn: z.string().optional(),
  /** Of the token, in seconds since the epoch. */
  exp: z.number(),
});
export type Login = z.output<typeof loginSchema>;

const accessSchema = z.strictObject({
  user: z.string(),
  key: z.string(),
  /** When it was given, in seconds since the epoch. */
  at: z.number(),
  /** Of what the access rests on: another one once a right or the account's log-ins have been taken back. */
  generation: z.string(),
  login: loginSchema,
});

const LIMIT = 10_000;
/** What decides beside the address itself, and sessions that end. */
const DECIDING = ['users', 'settings', 'workspace_login_permissions', 'workspace_permissions', 'group_members'];

interface Decision {
  username: string;
  address: KnownAddress;
  version: string;
  fromMs: number;
  untilMs: number;
}

class Decisions {
  private kept = new Lru<Decision>(LIMIT);

  constructor() {
    listenToCredentialEnds(() => (this.kept = new Lru<Decision>(LIMIT)));
  }

  /** The username behind a cookie at an address; undefined where it opens nothing, now or any more. */
  usernameOf(cookie: string, address: KnownAddress): string | undefined {
    const now = nowMs();
    const known = this.kept.get(cookie);
    const isCurrent = known?.address === address && known.version === versionOf(DECIDING);
    if (isCurrent && now >= known.fromMs && now < known.untilMs) return known.username;
    const found = decide(cookie, address);
    if (found) this.kept.set(cookie, found);
    return found?.username;
  }
}

const decisions = () => singleton('forward-auth-decisions', () => new Decisions());

export function usernameOf(cookie: string, address: KnownAddress): string | undefined {
  return decisions().usernameOf(cookie, address);
}

function decide(cookie: string, address: KnownAddress): Decision | undefined {
  const { data: access } = accessSchema.safeParse(readSigned('access', cookie));
  if (access?.key !== address.key) return undefined;
  const fromMs = access.at * 1000;
  const untilMs = fromMs + forwardAuthSetting().lifetime * 1000;
  if (nowMs() < fromMs || nowMs() >= untilMs) return undefined;
  const account = usableAccount(access.user);
  if (!account || generationOf(account, address) !== access.generation) return undefined;
  if (!goesOn(account, access.login)) return undefined;
  return { username: account.username, address, version: versionOf(DECIDING), fromMs, untilMs };
}

function generationOf(account: Account, address: KnownAddress): string | undefined {
  const grounds = basisOf(account, address);
  return grounds === undefined ? undefined : hashOf('generation', account.tokenKey, grounds);
}

/** A log-in ends with its session, or with the token that it was proven by. */
function goesOn({ id }: Account, { session, signIn, exp }: Login): boolean {
  const bound = session ?? (signIn === undefined ? undefined : sessionOfSignIn(signIn));
  if (bound !== undefined) return isLiveSession(id, bound);
  return exp * 1000 > nowMs() && !isEndedToken(id, { exp });
}

/** The cookie that opens the address to the account; undefined where it may not open it. */
export function giveAccess(account: Account, address: KnownAddress, login: Login): string | undefined {
  const generation = generationOf(account, address);
  if (generation === undefined || !goesOn(account, login)) return undefined;
  const at = Math.floor(nowMs() / 1000);
  return signText('access', { user: account.id, key: address.key, at, generation, login });
}
