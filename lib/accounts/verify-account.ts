import 'server-only';
import { externalAuthsTable } from '@/db/schema/users';
import { accountByEmail, type Account } from '@/lib/auth/accounts';
import { readMailedToken, takeMailTurn } from '@/lib/auth/mailed-tokens';
import { endSessionsOf } from '@/lib/auth/sessions';
import { issueToken, readPayload } from '@/lib/auth/tokens';
import { users } from './collection';
import type { FieldProblem } from '@/lib/errors';
import { refuse, textsOf } from '@/lib/http/form-body';
import { newSecret } from '@/lib/ids';
import { paths } from '@/lib/paths';
import { BLANK } from '@/lib/records/fields/field';
import { castText } from '@/lib/records/fields/text';
import { write } from '@/lib/records/transaction';
import type { AuditOrigin } from '@/lib/records/audit';
import { checkAddress } from '@/lib/records/fields/email';
import { auditAccountAct } from './audit-account';
import { INVALID_TOKEN } from './forms';
import { queueAccountMail } from './mail-account';

type Body = Readonly<Record<string, unknown>>;

/** As `requestPasswordReset`: returns the work that mails a link where an account has the address and is not verified. */
export function requestVerification(body: Body): () => Promise<void> {
  const { email } = textsOf(body, 'email');
  refuse({ email: checkAddress(email) }, 'An error occurred while validating the form.');
  return async () => {
    const account = accountByEmail(email);
    if (account && !account.verified && takeMailTurn('verification', account.id)) mailLink(account);
  };
}

function mailLink(account: Account): void {
  const token = issueToken(account, 'verification', users.id, { email: account.email });
  queueAccountMail('verification', { account, path: paths.confirmVerification(token) });
}

/** Marks the account verified; a token that did so already is fine. Throws AppError `invalid` about the token. */
export async function confirmVerification(body: Body, from: AuditOrigin): Promise<void> {
  const { token } = textsOf(body, 'token');
  refuse({ token: checkToken(token) });
  await write((tx) => {
    refuse({ token: checkToken(token) });
    const { account } = readMailedToken(token, 'verification')!;
    if (account.verified) return;
    // Links that someone else planted before the owner came must not outlive this.
    const isLinked =
      tx.find({ name: 'external_auths', table: externalAuthsTable }, { recordId: account.id }).length > 0;
    tx.patch(users, account.id, { verified: true, ...(isLinked && { tokenKey: newSecret(50) }) });
    if (isLinked) endSessionsOf(account.id);
    auditAccountAct(tx, 'account.verify', { account, from });
  });
}

function checkToken(token: string): FieldProblem | undefined {
  if (token === '') return BLANK;
  if (castText(readPayload(token).email) === '') {
    return { code: 'validation_invalid_token_claims', message: 'Missing email token claim.' };
  }
  const found = readMailedToken(token, 'verification');
  if (!found) return INVALID_TOKEN;
  if (found.account.email === found.claims.email) return undefined;
  const message = "The record email doesn't match with the requested token claims.";
  return { code: 'validation_token_email_mismatch', message };
}
