import 'server-only';
import { z } from 'zod';
import { accountById, type Account } from '@/lib/auth/accounts';
import { factorStore } from '@/lib/auth/factor-store';
import { passkeyStore } from '@/lib/auth/passkey-store';
import { newRecoveryCodes, recoveryCodeHash } from '@/lib/auth/recovery-codes';
import { endSessionsOf } from '@/lib/auth/sessions';
import { endPlainTokens } from '@/lib/auth/sign-in-ends';
import { findTotpStep, newTotpSecret, totpUri } from '@/lib/auth/totp';
import { mustHaveSecondFactor } from '@/lib/auth/required-factor';
import { users } from '../collection';
import { wireNow } from '@/lib/clock';
import { tellCredentialEnds } from '@/lib/auth/credential-ends';
import { rateLimits } from '@/lib/vocabulary/limits';
import { AppError, fieldError, NOT_FOUND_MESSAGE } from '@/lib/errors';
import { newSecret } from '@/lib/ids';
import { write, type WriteTransaction } from '@/lib/records/transaction';
import { takeTurns } from '@/lib/stores/rate-limits';
import { open, seal } from '@/lib/secrets';

const WRONG_CODE = 'The code is wrong, too old, or was used already.';

export const passkeySchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  created: z.string(),
  lastUsed: z.string(),
  isBackedUp: z.boolean(),
});

export const secondFactorSchema = z.strictObject({
  enabled: z.boolean(),
  totp: z.strictObject({ since: z.string() }).nullable(),
  passkeys: z.array(passkeySchema),
  recoveryCodesLeft: z.int(),
  isRequired: z.boolean(),
});
type SecondFactorState = z.output<typeof secondFactorSchema>;

/** What secures the sign-in of an account beside its password. */
export function readSecondFactor(account: {
  id: string;
  isAdmin: boolean;
  secondFactorSince: string;
}): SecondFactorState {
  const totp = factorStore.totpOf(account.id);
  const passkeys = passkeyStore.listOf(account.id);
  return {
    enabled: account.secondFactorSince !== '',
    totp: totp?.confirmed ? { since: totp.confirmed } : null,
    passkeys: passkeys.map(({ id, name, created, lastUsed, isBackedUp }) => ({
      id,
      name,
      created,
      lastUsed,
      isBackedUp,
    })),
    recoveryCodesLeft: factorStore.countRecoveryCodes(account.id),
    isRequired: mustHaveSecondFactor(account),
  };
}

/** Takes a code of the authenticator app, or a recovery code: each works once. False where it is wrong. */
function takeCode(tx: WriteTransaction, accountId: string, code: string): boolean {
  const digits = code.replace(/\s/g, '');
  if (!/^\d{6}$/.test(digits)) {
    return factorStore.useRecoveryCode(tx, accountId, { hash: recoveryCodeHash(accountId, code), at: wireNow() });
  }
  const totp = factorStore.totpOf(accountId);
  const step = totp?.confirmed ? findTotpStep(open(totp.secret), digits) : undefined;
  return step !== undefined && factorStore.useTotpStep(tx, accountId, step);
}

/** Spends a code of the account's second factor. Throws AppError `invalid` when it is wrong, `rate_limited` after too many. */
export async function spendCode(accountId: string, code: string): Promise<void> {
  const giveBack = takeTurns([{ limit: rateLimits.secondFactorByAccount, who: accountId }]);
  const isRight = code.length <= 100 && (await write((tx) => takeCode(tx, accountId, code)));
  if (!isRight) throw fieldError('code', 'validation_second_factor_invalid', WRONG_CODE);
  giveBack();
}

/** Whom a change of factors is made for, and the session that may go on. */
export interface FactorChange {
  account: Account;
  sessionId: string | undefined;
  /** Whether the password alone led here, which is enough for the first factor only. */
  isEnrolling: boolean;
}

/** A secret for an authenticator app; it counts once a code has confirmed it. Throws AppError `invalid` where one is in use. */
export async function startTotp({ account }: FactorChange): Promise<{ secret: string; uri: string }> {
  const secret = newTotpSecret();
  const isKept = await write((tx) => factorStore.startTotp(tx, account.id, { secret: seal(secret), at: wireNow() }));
  if (!isKept) throw new AppError('invalid', 'An authenticator app is set up already. Remove it first.');
  return { secret, uri: totpUri(secret, account.username) };
}

/** Turns the authenticator app on by its first code. Answers recovery codes where it is the account's first factor. */
export async function confirmTotp(change: FactorChange, code: string): Promise<string[]> {
  const { account } = change;
  const digits = code.replace(/\s/g, '');
  return write((tx) => {
    const totp = factorStore.totpOf(account.id);
    if (!totp || totp.confirmed) throw new AppError('invalid', 'There is no authenticator app to confirm. Begin anew.');
    const step = findTotpStep(open(totp.secret), digits);
    if (step === undefined || !factorStore.useTotpStep(tx, account.id, step)) {
      throw fieldError('code', 'validation_second_factor_invalid', WRONG_CODE);
    }
    factorStore.confirmTotp(tx, account.id, wireNow());
    return noteAdded(tx, change);
  });
}

/** Turns the authenticator app off. Throws AppError `not_found` where there is none. */
export async function removeTotp(change: FactorChange): Promise<void> {
  await write((tx) => {
    if (!factorStore.removeTotp(tx, change.account.id)) throw new AppError('not_found', NOT_FOUND_MESSAGE);
    noteRemoved(tx, change);
  });
}

/** Ten new recovery codes in place of the old. Throws AppError `invalid` while there is no factor that they could replace. */
export async function renewRecoveryCodes(accountId: string): Promise<string[]> {
  return write((tx) => {
    if (!accountById(accountId)?.secondFactorSince) throw new AppError('invalid', 'Set up a second factor first.');
    return storeNewCodes(tx, accountId);
  });
}

function storeNewCodes(tx: WriteTransaction, accountId: string): string[] {
  const codes = newRecoveryCodes();
  factorStore.setRecoveryCodes(
    tx,
    accountId,
    codes.map((code) => recoveryCodeHash(accountId, code)),
  );
  return codes;
}

/** After a factor was stored: the first one turns the second factor on. Returns the recovery codes that come with it. */
export function noteAdded(tx: WriteTransaction, change: FactorChange): string[] {
  const { id } = change.account;
  const isFirst = tx.get(users, id)?.secondFactorSince === '';
  // Of two that race with one token the second would slip in beside a factor that it has not proven.
  if (change.isEnrolling && !isFirst)
    throw new AppError('invalid', 'A second factor is set up already. Log in with it.');
  endOtherSessions(tx, change);
  if (!isFirst) return [];
  tx.observe(users, id, { secondFactorSince: wireNow() });
  // Whoever got one by the password alone has not proven the other factor.
  endPlainTokens(tx, id);
  return storeNewCodes(tx, id);
}

/** After a factor was removed: with the last one the second factor is off. Throws AppError `invalid` where it must stay. */
export function noteRemoved(tx: WriteTransaction, change: FactorChange): void {
  const { account } = change;
  endOtherSessions(tx, change);
  if (factorStore.totpOf(account.id)?.confirmed || passkeyStore.listOf(account.id).length > 0) return;
  if (mustHaveSecondFactor(account)) {
    throw new AppError('invalid', 'A second factor is required here. Set up another one before you remove the last.');
  }
  forget(tx, account.id);
}

function forget(tx: WriteTransaction, accountId: string): void {
  factorStore.removeTotp(tx, accountId);
  factorStore.setRecoveryCodes(tx, accountId, []);
  tx.observe(users, accountId, { secondFactorSince: '' });
}

function endOtherSessions(tx: WriteTransaction, { account, sessionId }: FactorChange): void {
  const ended = endSessionsOf(tx, account.id, { except: sessionId });
  tx.afterCommit.push(() => tellCredentialEnds(ended));
}

/** Takes an account's factors away, for someone who lost them, and ends every token and session of it. */
export async function resetSecondFactor(accountId: string): Promise<void> {
  await write((tx) => {
    passkeyStore.removeAll(tx, accountId);
    forget(tx, accountId);
    tx.observe(users, accountId, { tokenKey: newSecret(50) });
    endSessionsOf(tx, accountId);
  });
}
