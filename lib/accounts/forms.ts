import type { FieldProblem } from '@/lib/errors';
import { limits } from '@/lib/vocabulary/limits';
import { checkConfirmation, checkPassword } from '@/lib/vocabulary/password-rules';
import { BLANK } from '@/lib/records/fields/field';

export const INVALID_TOKEN: FieldProblem = { code: 'validation_invalid_token', message: 'Invalid or expired token.' };

/** Problems of a password that a mailed link sets. */
export function checkChosenPassword({ password, passwordConfirm }: { password: string; passwordConfirm: string }) {
  return {
    password: password === '' ? BLANK : checkPassword(password, { max: limits.resetPasswordMaxLength }),
    passwordConfirm: checkConfirmation(password, passwordConfirm),
  };
}
