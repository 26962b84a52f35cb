import 'server-only';
import { anyAccountById, type Account, actorOf, onAccount } from '@/lib/auth/accounts';
import { requestActor } from '@/lib/auth/actor';
import type { AuditAction } from '@/lib/vocabulary/audit';
import { rateLimits } from '@/lib/vocabulary/limits';
import { AppError } from '@/lib/errors';
import type { RequestContext } from '@/lib/http/context';
import { recordAuditAlone } from '@/lib/records/audit';
import type { FactorCaller } from '../guard';
import { originOf } from '@/lib/auth/call-origin';
import { limitGuesses, turnsOfAddress } from '@/lib/auth/limited';

type FactorAction = Extract<AuditAction, `${'secondFactor' | 'recoveryCodes' | 'passkey'}.${string}`>;

/** Tells the audit log what someone did to the factors of their own account. */
export async function auditFactor(
  context: RequestContext,
  { account, isEnrolling }: FactorCaller,
  { action, details }: { action: FactorAction; details?: Record<string, unknown> },
): Promise<void> {
  // The token that lets one enrol is no actor's: it follows the password.
  const by = isEnrolling
    ? { actor: actorOf(account), from: originOf(context, 'password') }
    : { actor: requestActor(context) };
  await recordAuditAlone({ action, ...by, on: onAccount(account), details });
}

/** Tells the audit log that an admin took someone's factors away. */
export async function auditFactorReset(context: RequestContext, accountId: string): Promise<void> {
  const on = onAccount(anyAccountById(accountId)!);
  await recordAuditAlone({
    action: 'secondFactor.disable',
    actor: requestActor(context),
    on,
    details: { kind: 'all' },
  });
}

/**
 * Signs in by something else than a password and tells the audit log how that went. Throws AppError `rate_limited` before any
 * work, and without a word in the log, where the address has failed too often.
 */
export async function auditedSignIn<T extends { account: Account }>(
  context: RequestContext,
  action: 'signIn.passkey' | 'signIn.secondFactor',
  signIn: () => Promise<T>,
): Promise<T> {
  const turns = turnsOfAddress(context, rateLimits.furtherFactorByAddress);
  return limitGuesses(turns, () => toldSignIn(context, action, signIn));
}

async function toldSignIn<T extends { account: Account }>(
  context: RequestContext,
  action: 'signIn.passkey' | 'signIn.secondFactor',
  signIn: () => Promise<T>,
): Promise<T> {
  const from = originOf(context, action === 'signIn.passkey' ? 'passkey' : 'password');
  try {
    const result = await signIn();
    const { account } = result;
    await recordAuditAlone({ action, actor: actorOf(account), from, on: onAccount(account) });
    return result;
  } catch (error) {
    const isWrong = error instanceof AppError && error.code === 'invalid';
    if (isWrong) await recordAuditAlone({ action, outcome: 'failure', actor: { kind: 'guest' }, from });
    throw error;
  }
}
