import 'server-only';
import { accountById, type Account } from '@/lib/auth/accounts';
import { factorStore } from '@/lib/auth/factor-store';
import { passkeyStore } from '@/lib/auth/passkey-store';
import { shortLived } from '@/lib/auth/short-lived';
import { issueToken } from '@/lib/auth/tokens';
import { lacksSecondFactor } from '@/lib/auth/required-factor';
import { users } from '../collection';
import { limits } from '@/lib/vocabulary/limits';
import { AppError } from '@/lib/errors';
import { refuse, textsOf } from '@/lib/http/form-body';
import { newSecret } from '@/lib/ids';
import type { ProviderProfile } from '../auth-answer';
import { INVALID_TOKEN } from '../forms';
import { spendCode } from './second-factor';

type Body = Readonly<Record<string, unknown>>;

/** Someone who has proven the first factor. */
interface PendingSignIn {
  accountId: string;
  /** A new one, as a new password brings, ends this too. */
  tokenKey: string;
  /** What a provider told. */
  meta: ProviderProfile | undefined;
}

const pendingSignIns = () =>
  shortLived<PendingSignIn>('pending-sign-ins', { lifeMs: limits.pendingSignInSeconds * 1000, max: 10_000 });

interface FirstFactor {
  /** Sent along with the first factor; empty where it was not. */
  code: string;
  meta?: ProviderProfile;
}

/**
 * What follows the first factor of a sign-in, whichever it was. Returns where the account takes no second one or its code is
 * right. Throws AppError `invalid` with a token to go on with: for `finishSignIn`, or to set up the factor that is missing.
 */
export async function passSecondFactor(account: Account, { code, meta }: FirstFactor): Promise<void> {
  if (lacksSecondFactor(account)) throw enrolmentNeeded(account);
  if (account.secondFactorSince === '') return;
  if (code === '') throw codeNeeded(account, meta);
  await spendCode(account.id, code);
}

function codeNeeded(account: Account, meta: ProviderProfile | undefined): AppError {
  const pendingToken = newSecret(40);
  pendingSignIns().put(pendingToken, { accountId: account.id, tokenKey: account.tokenKey, meta });
  const message = 'Enter the code of your authenticator app.';
  return new AppError('invalid', 'A second factor is needed.', {
    fields: { code: { code: 'validation_second_factor_required', message } },
    extra: { pendingToken, factors: factorsOf(account.id) },
  });
}

function factorsOf(accountId: string): string[] {
  const has = {
    totp: Boolean(factorStore.totpOf(accountId)?.confirmed),
    passkey: passkeyStore.listOf(accountId).length > 0,
    recoveryCode: factorStore.countRecoveryCodes(accountId) > 0,
  };
  return Object.entries(has).flatMap(([name, isThere]) => (isThere ? [name] : []));
}

function enrolmentNeeded(account: Account): AppError {
  const message = 'Set up a second factor to log in: the console requires one of you.';
  return new AppError('invalid', 'A second factor has to be set up first.', {
    fields: { enrol: { code: 'validation_second_factor_enrolment', message } },
    extra: { enrolmentToken: issueToken(account, 'enrolment', users.id) },
  });
}

/** Finishes a sign-in that waited for its code. Throws AppError `invalid` about the token or the code. */
export async function finishSignIn(body: Body): Promise<{ account: Account; meta: ProviderProfile | undefined }> {
  const { pendingToken, code } = textsOf(body, 'pendingToken', 'code');
  const pending = pendingSignIns().get(pendingToken);
  const account = pending && accountById(pending.accountId);
  if (!pending || !account || account.tokenKey !== pending.tokenKey) {
    return refuseAlways({ pendingToken: INVALID_TOKEN });
  }
  if (code === '') {
    const message = 'Enter the code of your authenticator app.';
    return refuseAlways({ code: { code: 'validation_second_factor_required', message } });
  }
  await spendCode(account.id, code);
  // Of two that race with two good codes the second finds the sign-in finished.
  if (!pendingSignIns().take(pendingToken)) return refuseAlways({ pendingToken: INVALID_TOKEN });
  return { account, meta: pending.meta };
}

function refuseAlways(problems: Parameters<typeof refuse>[0]): never {
  refuse(problems, 'Failed to authenticate.');
  throw new AppError('invalid', 'Failed to authenticate.');
}
