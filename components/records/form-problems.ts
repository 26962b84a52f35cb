'use client';

import { useTranslations } from 'next-intl';
import { get, type FieldPath, type FieldValues, type UseFormReturn } from 'react-hook-form';
import { fieldProblems, isToldElsewhere, messageOf } from '@/components/data/problems';

/** Server codes that have words of ours; all others are shown in the server's. */
const messageKeys: Record<string, string> = {
  validation_required: 'required',
  validation_is_email: 'isNotEmail',
  validation_values_mismatch: 'passwordsDoNotMatch',
};

export interface FormProblem {
  path: string;
  message: string;
}

/** Every wrong field of a form, flat, in the order of the form's own values. */
export function listProblems(errors: object | undefined, prefix = ''): FormProblem[] {
  return Object.entries(errors ?? {}).flatMap(([key, value]: [string, unknown]) => {
    if (!value || typeof value !== 'object' || key === 'ref') return [];
    const path = prefix ? `${prefix}.${key}` : key;
    if ('message' in value && typeof value.message === 'string' && value.message)
      return [{ path, message: value.message }];
    return listProblems(value, path);
  });
}

/** Whether anything is wrong with any of the fields, or with a part of them. */
export function wrongFields(problems: FormProblem[]): (...fields: string[]) => boolean {
  const wrong = new Set(problems.map(({ path }) => path.split('.')[0] ?? ''));
  return (...fields) => fields.some((field) => wrong.has(field));
}

/** Turns a message key into its text; sentences of the server stay as they are. */
export function useProblemText(): (message: string | undefined) => string | undefined {
  const t = useTranslations('common.problems');
  return (message) => {
    if (!message) return undefined;
    const key = message as Parameters<typeof t.has>[0];
    return /^[a-zA-Z]+$/.test(message) && t.has(key) ? t(key as Parameters<typeof t>[0]) : message;
  };
}

/** The text of one field's error, by path. */
export function useFieldError<Values extends FieldValues>(
  form: UseFormReturn<Values>,
): (path: FieldPath<Values>) => string | undefined {
  const text = useProblemText();
  const { errors } = form.formState;
  return (path) => {
    const problem: unknown = get(errors, path);
    const isNamed = typeof problem === 'object' && problem !== null && 'message' in problem;
    return text(isNamed && typeof problem.message === 'string' ? problem.message : undefined);
  };
}

/** The first match that is in sight: forms of other tabs stay in the page, unseen. */
export function firstShown(selector: string): HTMLElement | undefined {
  return [...document.querySelectorAll<HTMLElement>(selector)].find((each) => each.checkVisibility());
}

/** Moves to the first wrong field in the order of the page, once its mark is drawn. */
export function focusFirstWrong(): void {
  requestAnimationFrame(() => {
    const control = firstShown('form [aria-invalid="true"], form [data-invalid]');
    control?.scrollIntoView({ block: 'nearest' });
    control?.focus();
  });
}

/**
 * Puts a refused save's problems beside their fields. What belongs to no field of the form is returned as sentences,
 * as is any failure that names no field.
 */
export function applyProblems<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  error: unknown,
  fallback: string,
): string[] {
  if (isToldElsewhere(error)) return [];
  const problems = fieldProblems(error);
  if (problems.length === 0) return [messageOf(error) ?? fallback];
  const values: unknown = form.getValues();
  const rest: string[] = [];
  for (const problem of problems) {
    const root = problem.path.split('.')[0] ?? '';
    if (typeof values === 'object' && values !== null && root in values) {
      const message = messageKeys[problem.code] ?? problem.message;
      form.setError(problem.path as FieldPath<Values>, { type: 'server', message });
      focusFirstWrong();
    } else {
      rest.push(problem.message);
    }
  }
  return rest;
}
