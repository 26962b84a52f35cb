import 'server-only';
import { actorOf, anyAccountByIdentity, onAccount, type Account } from '@/lib/auth/accounts';
import { isKnownAddress } from '@/lib/auth/known-addresses';
import { signInWithPassword } from '@/lib/auth/sign-in';
import { passSecondFactor } from '../security/pass-second-factor';
import { addressBlock } from '@/lib/auth/address-block';
import { limits, rateLimits } from '@/lib/vocabulary/limits';
import { AppError } from '@/lib/errors';
import type { RequestContext } from '@/lib/http/context';
import { textsOf } from '@/lib/http/form-body';
import { recordAuditAlone } from '@/lib/records/audit';
import type { Turn } from '@/lib/stores/rate-limits';
import { originOf } from '@/lib/auth/call-origin';
import { limitGuesses, spellingOf, turnsOfAddress } from '@/lib/auth/limited';

type Body = Readonly<Record<string, unknown>>;

export interface PasswordSignIn {
  action: 'signIn.password' | 'signIn.admin';
  /** Whom the password may open this door to; everyone where left out. */
  isAdmitted?: (account: Account) => boolean;
}

/**
 * Signs in by password, so often as it may be tried in vain, and tells the audit log. Throws AppError `rate_limited` before
 * any work, `invalid` as `signInWithPassword` does; whom the door is closed to gets the answer of a wrong password.
 */
export async function signInByPassword(context: RequestContext, body: Body, door: PasswordSignIn): Promise<Account> {
  const { identity } = textsOf(body, 'identity', 'password');
  const target = anyAccountByIdentity(identity) ?? anyAccountByIdentity(spellingOf(identity));
  const turns = turnsOf(context, identity, target);
  try {
    return await limitGuesses(turns, () => tryPassword(context, body, door), isWrongPassword);
  } catch (error) {
    if (isWrongPassword(error) || isWrongCode(error)) await recordFailure(context, door, { identity, target });
    throw error;
  }
}

async function tryPassword(
  context: RequestContext,
  body: Body,
  { action, isAdmitted = () => true }: PasswordSignIn,
): Promise<Account> {
  const account = await signInWithPassword(body);
  if (!isAdmitted(account)) throw new AppError('invalid', 'Failed to authenticate.');
  await passSecondFactor(account, textsOf(body, 'code'));
  // Not waited for here: it goes to the disk with the turns that are given back.
  void recordAuditAlone({
    action,
    actor: actorOf(account),
    from: originOf(context, 'password'),
    on: onAccount(account),
  });
  return account;
}

/**
 * One counter an account, however it is spelled, and one an address. Where its owner is used to sign in from, others can't use
 * up the tries: that address has a counter of its own there, which is soon over.
 */
function turnsOf(context: RequestContext, identity: string, target: Account | undefined): Turn[] {
  const { address } = context;
  if (target && isKnownAddress(target.id, address)) {
    return [{ limit: rateLimits.signInByKnownAddress, who: `${target.id}\n${addressBlock(address)}` }];
  }
  const who = target ? `account ${target.id}` : spellingOf(identity);
  return [{ limit: rateLimits.signInByAccount, who }, ...turnsOfAddress(context, rateLimits.signInByAddress)];
}

/** A blank field is no guess. */
function isWrongPassword(error: unknown): boolean {
  return error instanceof AppError && error.code === 'invalid' && Object.keys(error.fields).length === 0;
}

/** The password was right: it counts against the tries of codes, not those of passwords. */
function isWrongCode(error: unknown): boolean {
  return error instanceof AppError && error.fields.code?.code === 'validation_second_factor_invalid';
}

function recordFailure(
  context: RequestContext,
  { action }: PasswordSignIn,
  { identity, target }: { identity: string; target: Account | undefined },
): Promise<void> {
  return recordAuditAlone({
    action,
    outcome: 'failure',
    actor: target ? actorOf(target) : { kind: 'guest' },
    from: originOf(context, 'password'),
    ...(target && { on: onAccount(target) }),
    details: { identity: identity.slice(0, limits.auditIdentityLength) },
  });
}
