import 'server-only';
import { accountByEmail, type Account } from '@/lib/auth/accounts';
import { readMailedToken, takeMailTurn } from '@/lib/auth/mailed-tokens';
import { endApiTokensOf } from '@/lib/auth/api-tokens';
import { endSessionsOf } from '@/lib/auth/sessions';
import { issueToken } from '@/lib/auth/tokens';
import { users } from './collection';
import { refuse, textsOf } from '@/lib/http/form-body';
import { newSecret } from '@/lib/ids';
import { hashPassword } from '@/lib/passwords';
import { paths } from '@/lib/paths';
import { BLANK } from '@/lib/records/fields/field';
import { write } from '@/lib/records/transaction';
import type { AuditOrigin } from '@/lib/records/audit';
import { checkAddress } from '@/lib/records/fields/email';
import { auditAccountAct } from './audit-account';
import { checkChosenPassword, INVALID_TOKEN } from './forms';
import { queueAccountMail } from './mail-account';

type Body = Readonly<Record<string, unknown>>;
/** Whose password it is: a person's, or an admin's by the administration calls. */
export type ResetPurpose = 'passwordReset' | 'adminPasswordReset';

/**
 * Checks the address and returns the work that mails a link where an account has it: the caller answers first, so the time
 * tells nothing. Throws AppError `invalid` for what is no address.
 */
export function requestPasswordReset(body: Body, purpose: ResetPurpose = 'passwordReset'): () => Promise<void> {
  const { email } = textsOf(body, 'email');
  refuse({ email: checkAddress(email) }, 'An error occurred while validating the form.');
  return async () => {
    const account = accountByEmail(email);
    if (!account || (purpose === 'adminPasswordReset' && !account.isAdmin)) return;
    if (takeMailTurn(purpose, account.id)) mailLink(account, purpose);
  };
}

function mailLink(account: Account, purpose: ResetPurpose): void {
  const token = issueToken(account, purpose, users.id, { email: account.email });
  queueAccountMail('passwordReset', { account, path: paths.confirmPasswordReset(token) });
}

/**
 * Sets a new password by a mailed token and ends every token, API token and session of the account: whoever had to do this
 * may have lost it to someone else. Its second factor stays. Whoever read the mail owns the address, so it counts as verified. Throws AppError `invalid` with all wrong fields.
 */
export async function confirmPasswordReset(
  body: Body,
  from: AuditOrigin,
  purpose: ResetPurpose = 'passwordReset',
): Promise<void> {
  const { token, ...passwords } = textsOf(body, 'token', 'password', 'passwordConfirm');
  const found = readMailedToken(token, purpose);
  const tokenProblem = token === '' ? BLANK : found ? undefined : INVALID_TOKEN;
  refuse({ token: tokenProblem, ...checkChosenPassword(passwords) });
  const passwordHash = await hashPassword(passwords.password);
  const owner = await write((tx) => {
    // Of two that race with one token the second finds it spent.
    const { account, claims } = readMailedToken(token, purpose) ?? {};
    if (!account || !claims) {
      refuse({ token: INVALID_TOKEN });
      return undefined;
    }
    const verified = account.verified || account.email === claims.email;
    tx.patch(users, account.id, { passwordHash, tokenKey: newSecret(50), verified });
    endSessionsOf(tx, account.id);
    endApiTokensOf(tx, account.id);
    auditAccountAct(tx, 'password.reset', { account, from });
    return account;
  });
  if (owner) queueAccountMail('passwordChanged', { account: owner, path: paths.login() });
}
