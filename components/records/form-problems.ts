'use client';

import { useTranslations } from 'next-intl';
import { get, type FieldPath, type FieldValues, type UseFormReturn } from 'react-hook-form';
import { DUPLICATE_ENVIRONMENT, DUPLICATE_FILENAME, NOT_ALPHANUMERIC } from '@/lib/vocabulary/image-words';
import { fieldProblems, isToldElsewhere, messageOf, type Problem } from '@/components/data/problems';
import { inPageLanguage } from '@/components/data/server-words';

/** Server codes that have words of ours; all others are shown in the server's. */
const messageKeys: Record<string, string> = {
  validation_required: 'required',
  validation_is_email: 'isNotEmail',
  validation_values_mismatch: 'passwordsDoNotMatch',
};

/** The same for those whose sentence names a bound. */
const boundKeys: Record<string, string> = {
  validation_min_text_constraint: 'atLeastCharacters',
  validation_max_text_constraint: 'atMostCharacters',
  validation_min_number_constraint: 'minimumValue',
  validation_max_number_constraint: 'maximumValue',
};

/** Sentences that form and server have in common, by what they are called here. */
const sentenceKeys: Record<string, string> = {
  [DUPLICATE_ENVIRONMENT]: 'duplicateEnvironmentNameProvideUnique',
  [DUPLICATE_FILENAME]: 'duplicateFilename',
  [NOT_ALPHANUMERIC]: 'mustBeAlphanumeric',
};

/** The key of a sentence that has one; else the sentence. */
export function keyOfSentence(sentence: string): string {
  return sentenceKeys[sentence] ?? inPageLanguage(sentence);
}

function wordsFor({ code, message }: Problem): string {
  const bound = /\d+(?:\.\d+)?/.exec(message)?.[0];
  const boundKey = boundKeys[code];
  if (boundKey && bound) return `${boundKey}:${Number(bound)}`;
  return messageKeys[code] ?? keyOfSentence(message);
}

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
    const [, name, count] = /^([a-zA-Z]+)(?::(\d+(?:\.\d+)?))?$/.exec(message) ?? [];
    const key = name as Parameters<typeof t>[0];
    return name && t.has(key) ? t(key, { count: Number(count ?? 0) }) : message;
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

/** For so long a mark may take to be drawn, on a machine that is busy. */
const MARK_FRAMES = 30;

/** Moves to the first wrong field in the order of the page, once its mark is drawn; its error is in sight too. */
export function focusFirstWrong(): void {
  focusOnceDrawn(MARK_FRAMES);
}

function focusOnceDrawn(framesLeft: number): void {
  requestAnimationFrame(() => {
    const control = firstShown('form [aria-invalid="true"], form [data-invalid]');
    if (!control) {
      if (framesLeft > 0) focusOnceDrawn(framesLeft - 1);
      return;
    }
    const text = document.getElementById(control.getAttribute('aria-describedby') ?? '');
    text?.scrollIntoView({ block: 'nearest' });
    control.scrollIntoView({ block: 'nearest' });
    control.focus({ preventScroll: true });
  });
}

/**
 * Puts a refused save's problems beside their fields; `shownAt` names the field of the form for one that it has not.
 * What belongs to no field of the form is returned as sentences, as is any failure that names no field.
 */
export function applyProblems<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  error: unknown,
  fallback: string,
  shownAt: Readonly<Record<string, FieldPath<Values>>> = {},
): string[] {
  if (isToldElsewhere(error)) return [];
  const problems = onceTaken(fieldProblems(error));
  if (problems.length === 0) return [messageOf(error) ?? fallback];
  const values: unknown = form.getValues();
  const rest: string[] = [];
  for (const problem of problems) {
    const path = shownAt[problem.path] ?? (problem.path as FieldPath<Values>);
    const root = path.split('.')[0] ?? '';
    if (typeof values === 'object' && values !== null && root in values) {
      form.setError(path, { type: 'server', message: wordsFor(problem) });
      focusFirstWrong();
    } else {
      rest.push(problem.message);
    }
  }
  return rest;
}

/** What several fields together must have for themselves is told by each of them: once is enough, at the first. */
function onceTaken(problems: Problem[]): Problem[] {
  const told = new Set<string>();
  return problems.filter(({ code, message }) => {
    if (code !== 'validation_not_unique') return true;
    const isNew = !told.has(message);
    told.add(message);
    return isNew;
  });
}
