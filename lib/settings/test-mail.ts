import 'server-only';
import { writeAccountMail, type AccountMail } from '@/lib/remote/account-mails';
import { env } from '@/lib/env';
import { AppError, type FieldProblem } from '@/lib/errors';
import { refuse, textsOf } from '@/lib/http/form-body';
import { paths } from '@/lib/paths';
import { checkAddress } from '@/lib/records/fields/email';
import { BLANK } from '@/lib/records/fields/field';
import { sendMail } from '@/lib/remote/mail';
import { MailError } from '@/lib/remote/mail-error';

const TOKEN = 'TEST_TOKEN';

/** The mails as the record API names them, with a link that does nothing. */
const templates: Record<string, { kind: AccountMail; path: string }> = {
  verification: { kind: 'verification', path: paths.confirmVerification(TOKEN) },
  'password-reset': { kind: 'passwordReset', path: paths.confirmPasswordReset(TOKEN) },
  'email-change': { kind: 'emailChange', path: paths.confirmEmailChange(TOKEN) },
};

/** Sends one of the account mails. Throws AppError `invalid`, also when it was not taken, with the reason. */
export async function sendTestMail(body: Readonly<Record<string, unknown>>): Promise<void> {
  const { email, template } = textsOf(body, 'email', 'template');
  const unknown: FieldProblem = { code: 'validation_in_invalid', message: 'Must be a valid value.' };
  const found = Object.hasOwn(templates, template) ? templates[template]! : undefined;
  refuse({ email: checkAddress(email), template: template === '' ? BLANK : found ? undefined : unknown });
  const consoleUrl = env().publicUrl;
  const { kind, path } = found!;
  const facts = { name: '', language: '', url: consoleUrl + path, newEmail: email, consoleUrl };
  try {
    await sendMail({ to: { name: '', address: email }, ...writeAccountMail(kind, facts) });
  } catch (cause) {
    const why = cause instanceof MailError ? ` ${cause.message}` : '';
    throw new AppError('invalid', `Failed to send the test email.${why}`, { cause });
  }
}
