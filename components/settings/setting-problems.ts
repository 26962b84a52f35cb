import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import { fieldProblems, isToldElsewhere, messageOf } from '@/components/data/problems';
import { focusFirstWrong } from '@/components/records/form-problems';

/** Puts the server's problems beside their fields; returns those that belong to none. */
export function applySettingProblems<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  error: unknown,
  fallback: string,
): string[] {
  if (isToldElsewhere(error)) return [];
  const problems = fieldProblems(error);
  if (problems.length === 0) return [messageOf(error) ?? fallback];
  for (const { path, code, message } of problems) {
    // Settings name their value first, and scopes by their place in the list.
    const field = path.replace(/^value\./, '').replace(/^scopes\..*/, 'scopes') as FieldPath<Values>;
    form.setError(field, { type: 'server', message: code === 'validation_required' ? 'required' : message });
  }
  focusFirstWrong();
  return [];
}
