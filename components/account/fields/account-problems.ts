import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import { fieldProblems } from '@/components/data/problems';
import { applyProblems } from '@/components/records/form-problems';

/** What the account calls refuse, in our words. Elsewhere some of these codes mean something else. */
const words: Record<string, string> = {
  validation_invalid_email: 'emailInUse',
  validation_record_email_invalid: 'emailInUse',
  validation_invalid_username: 'usernameInUse',
  validation_match_invalid: 'badUsername',
  validation_invalid_old_password: 'currentPasswordIncorrect',
  validation_invalid_password: 'incorrectPassword',
  validation_invalid_setup_code: 'wrongSetupCode',
  validation_weak_password: 'weakPassword',
};

/** As `applyProblems`, for forms about an account. */
export function applyAccountProblems<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  error: unknown,
  fallback: string,
): string[] {
  const rest = applyProblems(form, error, fallback);
  for (const { path, code } of fieldProblems(error)) {
    const message = words[code];
    if (message && path in form.getValues()) form.setError(path as FieldPath<Values>, { type: 'server', message });
  }
  return rest;
}
