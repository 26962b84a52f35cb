import 'server-only';
import { accountById } from '@/lib/auth/accounts';
import { readMailedToken } from '@/lib/auth/mailed-tokens';
import { endSessionsOf } from '@/lib/auth/sessions';
import { issueToken, readPayload } from '@/lib/auth/tokens';
import { users } from './collection';
import { limits } from '@/lib/vocabulary/limits';
import { AppError, type FieldProblem } from '@/lib/errors';
import { refuse, textsOf } from '@/lib/http/form-body';
import { newSecret } from '@/lib/ids';
import { verifyPassword } from '@/lib/passwords';
import { paths } from '@/lib/paths';
import { BLANK } from '@/lib/records/fields/field';
import { castText } from '@/lib/records/fields/text';
import { StoreReader, write } from '@/lib/records/transaction';
import { MailError } from '@/lib/remote/mail-error';
import type { AuditOrigin } from '@/lib/records/audit';
import { checkAddress } from '@/lib/records/fields/email';
import { auditAccountAct } from './audit-account';
import { INVALID_TOKEN } from './forms';
import { mailAccount, queueAccountMail } from './mail-account';

type Body = Readonly<Record<string, unknown>>;

function isTaken(email: string, reader: StoreReader): boolean {
  return reader.findAnyCase(users, 'email', email).length > 0;
}

/** Mails a link to the new address of an account. Throws AppError `invalid`, also when the mail could not be sent. */
export async function requestEmailChange(accountId: string, body: Body): Promise<void> {
  const { newEmail } = textsOf(body, 'newEmail');
  const taken = { code: 'validation_record_email_invalid', message: 'User email already exists or it is invalid.' };
  refuse({ newEmail: checkAddress(newEmail) ?? (isTaken(newEmail, new StoreReader()) ? taken : undefined) });
  const account = accountById(accountId)!;
  const token = issueToken(account, 'emailChange', users.id, { email: account.email, newEmail });
  try {
    await mailAccount('emailChange', { account, path: paths.confirmEmailChange(token), to: newEmail, newEmail });
  } catch (cause) {
    const why = cause instanceof MailError ? ` ${cause.message}` : '';
    throw new AppError('invalid', `Failed to request email change.${why}`, { cause });
  }
}

/** Gives the account its new address and ends all its tokens and sessions. Throws AppError `invalid` with all wrong fields. */
export async function confirmEmailChange(body: Body, from: AuditOrigin): Promise<void> {
  const { token, password } = textsOf(body, 'token', 'password');
  const found = readMailedToken(token, 'emailChange');
  const wrong = { code: 'validation_invalid_password', message: 'Missing or invalid auth record password.' };
  const isRight =
    password !== '' &&
    password.length <= limits.passwordTriedMaxLength &&
    (await verifyPassword(found?.account.passwordHash, password));
  refuse({
    token: checkToken(token, new StoreReader()),
    password: password === '' ? BLANK : isRight ? undefined : wrong,
  });
  const before = await write((tx) => {
    refuse({ token: checkToken(token, tx) });
    const { account, claims } = readMailedToken(token, 'emailChange')!;
    tx.patch(users, account.id, { email: claims.newEmail, verified: true, tokenKey: newSecret(50) });
    endSessionsOf(account.id);
    auditAccountAct(tx, 'email.change', { account, from });
    return account;
  });
  queueAccountMail('emailChanged', { account: before, path: paths.login() });
}

function checkToken(token: string, reader: StoreReader): FieldProblem | undefined {
  if (token === '') return BLANK;
  if (castText(readPayload(token).newEmail) === '') {
    const message = 'Invalid token payload - newEmail must be set.';
    return { code: 'validation_invalid_token_payload', message };
  }
  const newEmail = readMailedToken(token, 'emailChange')?.claims.newEmail;
  if (!newEmail) return INVALID_TOKEN;
  if (!isTaken(newEmail, reader)) return undefined;
  const message = `The new email address is already registered: ${newEmail}.`;
  return { code: 'validation_existing_token_email', message };
}
