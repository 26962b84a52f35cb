import 'server-only';
import { z } from 'zod';
import type { Account } from '@/lib/auth/accounts';
import { isFreshSession } from '@/lib/auth/fresh-sign-ins';
import { limits, rateLimits } from '@/lib/vocabulary/limits';
import { fieldError } from '@/lib/errors';
import { readSmallBody } from '@/lib/http/body';
import type { RequestContext } from '@/lib/http/context';
import { textsOf } from '@/lib/http/form-body';
import { verifyPassword } from '@/lib/passwords';
import { StoreReader } from '@/lib/records/transaction';
import { takeTurns } from '@/lib/stores/rate-limits';
import { externalAuths } from '../external-auths';
import type { FactorCaller } from '../guard';
import { spendCode } from './second-factor';

const passwordSchema = z.string().optional().describe('Left out by whoever has just logged in through a provider');
export const stepUpShape = z.object({ password: passwordSchema });
export const stepUpOrCodeShape = z.object({
  password: passwordSchema,
  code: z.string().optional().describe('In place of the password'),
});

interface Caller {
  account: Account;
  sessionId: string | undefined;
}

/** Whether the caller has signed in so recently that no password is asked for: only who came by a provider may have none. */
export function maySkipPassword({ account, sessionId }: Caller): boolean {
  if (sessionId === undefined || !isFreshSession(sessionId)) return false;
  return new StoreReader().find(externalAuths, { recordId: account.id }, { limit: 1 }).length > 0;
}

/**
 * Has whoever changes how an account is secured prove again that it is theirs: a borrowed browser is not enough. Throws
 * AppError `invalid` with what is missing or wrong, `rate_limited` after too many tries.
 */
export async function requireStepUp(
  caller: Caller,
  body: Readonly<Record<string, unknown>>,
  { takesCode = false } = {},
): Promise<void> {
  const { password, code } = textsOf(body, 'password', 'code');
  if (takesCode && code !== '' && password === '') return spendCode(caller.account.id, code);
  if (password === '' && maySkipPassword(caller)) return;
  if (password === '') throw fieldError('password', 'validation_required', 'Enter your password to confirm this.');
  const giveBack = takeTurns([{ limit: rateLimits.secondFactorByAccount, who: caller.account.id }]);
  const isRight =
    password.length <= limits.passwordTriedMaxLength && (await verifyPassword(caller.account.passwordHash, password));
  if (!isRight) throw fieldError('password', 'validation_invalid_password', 'Incorrect password!');
  giveBack();
}

/** The body with the proof; whoever sets up the factor that lets them in has proven enough, and theirs is not looked at. */
export function readStepUp(context: RequestContext, { isEnrolling }: FactorCaller): Promise<Record<string, unknown>> {
  return isEnrolling ? Promise.resolve({}) : readSmallBody(context);
}
