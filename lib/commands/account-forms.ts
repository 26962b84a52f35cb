import { AppError, type FieldProblem, type FieldProblems, GENERIC_MESSAGE } from '@/lib/errors';
import { limits } from '@/lib/domain/limits';
import { checkConfirmation, checkPassword } from '@/lib/domain/password-rules';
import { isEmail } from '@/lib/records/fields/email';
import { BLANK } from '@/lib/records/fields/field';

type Body = Readonly<Record<string, unknown>>;

export const INVALID_TOKEN: FieldProblem = { code: 'validation_invalid_token', message: 'Invalid or expired token.' };

/** The named texts of a body; missing ones are empty. Throws AppError `invalid` where something else than a text was sent. */
export function textsOf<K extends string>(body: Body, ...names: K[]): Record<K, string> {
  const entries = names.map((name) => {
    const value = Object.hasOwn(body, name) ? (body[name] ?? '') : '';
    if (typeof value !== 'string') throw new AppError('invalid', 'An error occurred while loading the submitted data.');
    return [name, value] as const;
  });
  return Object.fromEntries(entries) as Record<K, string>;
}

/** Throws AppError `invalid` with whatever problems there are. */
export function refuse(found: Readonly<Record<string, FieldProblem | undefined>>, message = GENERIC_MESSAGE): void {
  const fields: FieldProblems = {};
  for (const [name, problem] of Object.entries(found)) if (problem) fields[name] = problem;
  if (Object.keys(fields).length > 0) throw new AppError('invalid', message, { fields });
}

export function checkAddress(email: string): FieldProblem | undefined {
  if (email === '') return BLANK;
  if (Buffer.byteLength(email) > 255) {
    return { code: 'validation_length_out_of_range', message: 'The length must be between 1 and 255.' };
  }
  return isEmail(email) ? undefined : { code: 'validation_is_email', message: 'Must be a valid email address.' };
}

/** Problems of a password that a mailed link sets. */
export function checkChosenPassword({ password, passwordConfirm }: { password: string; passwordConfirm: string }) {
  return {
    password: password === '' ? BLANK : checkPassword(password, { max: limits.resetPasswordMaxLength }),
    passwordConfirm: checkConfirmation(password, passwordConfirm),
  };
}
