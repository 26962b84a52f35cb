import type { FieldProblem } from '@/lib/errors';
import { limits } from '@/lib/vocabulary/limits';
import { checkPassword } from '@/lib/vocabulary/password-rules';
import { BLANK } from '@/lib/records/fields/field';

export const INVALID_TOKEN: FieldProblem = { code: 'validation_invalid_token', message: 'Invalid or expired token.' };

/** Problems of a password that a mailed link sets. */
export function checkChosenPassword({ password, passwordConfirm }: { password: string; passwordConfirm: string }) {
  const mismatch = { code: 'validation_values_mismatch', message: "Values don't match." };
  return {
    password: password === '' ? BLANK : checkPassword(password, { max: limits.resetPasswordMaxLength }),
    passwordConfirm: passwordConfirm === '' ? BLANK : passwordConfirm === password ? undefined : mismatch,
  };
}
