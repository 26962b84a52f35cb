import { z } from 'zod';
import { AppError, type FieldProblem, type FieldProblems, GENERIC_MESSAGE } from '@/lib/errors';

type Body = Readonly<Record<string, unknown>>;

/** An e-mail address in the description of a body that the act itself checks. */
export const emailShape = z.string().meta({ format: 'email' });

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
