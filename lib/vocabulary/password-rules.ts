import { limits } from './limits';

export const WEAK_PASSWORD =
  'Password must contain at least one capital letter, one number and one special character (@ $ ! % * ? &).';

interface Problem {
  code: string;
  message: string;
}

/** What is wrong with a new password; undefined when it may be used. Lengths are in bytes. */
export function checkPassword(
  password: string,
  { max }: { max: number } = { max: limits.passwordMaxLength },
): Problem | undefined {
  const bytes = new TextEncoder().encode(password).length;
  const { passwordMinLength: min } = limits;
  if (bytes < min || bytes > max) {
    return { code: 'validation_length_out_of_range', message: `The length must be between ${min} and ${max}.` };
  }
  const isStrong = /[A-Z]/.test(password) && /[0-9]/.test(password) && /[@$!%*?&]/.test(password);
  return isStrong ? undefined : { code: 'validation_weak_password', message: WEAK_PASSWORD };
}

/** What is wrong with the second typing of a new password; undefined when it is the same. */
export function checkConfirmation(password: string, confirm: string): Problem | undefined {
  if (confirm === '') return { code: 'validation_required', message: 'Cannot be blank.' };
  return confirm === password ? undefined : { code: 'validation_values_mismatch', message: "Values don't match." };
}
