import 'server-only';
import { emailChangeMail, passwordResetMail, verificationMail, type MailText } from '@/lib/domain/account-mails';
import { env } from '@/lib/env';
import { AppError, type FieldProblem } from '@/lib/errors';
import { paths } from '@/lib/paths';
import { BLANK } from '@/lib/records/fields/field';
import { sendMail } from '@/lib/remote/mail';
import { checkAddress, refuse, textsOf } from './account-forms';

const TOKEN = 'TEST_TOKEN';

const templates: Record<string, (email: string) => MailText> = {
  verification: () => verificationMail({ name: '', url: env().publicUrl + paths.confirmVerification(TOKEN) }),
  'password-reset': () => passwordResetMail({ name: '', url: env().publicUrl + paths.confirmPasswordReset(TOKEN) }),
  'email-change': (newEmail) =>
    emailChangeMail({ name: '', url: env().publicUrl + paths.confirmEmailChange(TOKEN), newEmail }),
};

/** Sends one of the account mails with a link that does nothing. Throws AppError `invalid`, also when it was not taken. */
export async function sendTestMail(body: Readonly<Record<string, unknown>>): Promise<void> {
  const { email, template } = textsOf(body, 'email', 'template');
  const unknown: FieldProblem = { code: 'validation_in_invalid', message: 'Must be a valid value.' };
  const isKnown = Object.hasOwn(templates, template);
  refuse({ email: checkAddress(email), template: template === '' ? BLANK : isKnown ? undefined : unknown });
  try {
    await sendMail({ to: { name: '', address: email }, ...templates[template]!(email) });
  } catch (cause) {
    const why = cause instanceof Error ? ` ${cause.message}` : '';
    throw new AppError('invalid', `Failed to send the test email.${why}`, { cause });
  }
}
