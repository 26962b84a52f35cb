import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import { fieldProblems, isToldElsewhere, messageOf } from '@/components/data/problems';
import { focusFirstWrong } from '@/components/records/form-problems';

const TYPED_LIST = /^(scopes|ports|entries\.\d+\.authResponseHeaders)\..*/;

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
    // Settings name their value first, and what is typed in one field by its place in the list.
    const field = path.replace(/^value\./, '').replace(TYPED_LIST, '$1') as FieldPath<Values>;
    form.setError(field, { type: 'server', message: code === 'validation_required' ? 'required' : message });
  }
  focusFirstWrong();
  return [];
}
