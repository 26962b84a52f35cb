import type { ZodError } from 'zod';
import './schema-words';

/** The classes of failure that a caller may see; `lib/http/error-response.ts` maps each to a status. */
export type ErrorCode =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'too_large'
  | 'rate_limited'
  | 'host_unavailable'
  | 'internal';

/** What a caller is told where nothing better may be said. */
export const GENERIC_MESSAGE = 'Something went wrong while processing your request.';
/** The same for what is not there and for what may not be seen. */
export const NOT_FOUND_MESSAGE = "The requested resource wasn't found.";

/** One wrong field: a machine code and a sentence. Lists nest by index, objects by key. */
export interface FieldProblem {
  code: string;
  message: string;
}
export type FieldProblems = { [field: string]: FieldProblem | FieldProblems };

interface AppErrorOptions {
  /** Problems by field path, answered as `data`. */
  fields?: FieldProblems;
  /** What the caller needs to go on, answered in `data` beside the problems. */
  extra?: Readonly<Record<string, unknown>>;
  /** Seconds until a rate-limited caller may try again. */
  retryAfterSeconds?: number;
  cause?: unknown;
}

/** The one error that may reach a user. `message` is shown as it is; `cause` goes to the log only. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly fields: FieldProblems;
  readonly extra: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.fields = options.fields ?? {};
    this.extra = options.extra ?? {};
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** What a schema has against a value: against parts of it, nested by path, and against the whole. */
export interface SchemaProblems {
  fields: FieldProblems;
  whole: FieldProblem | undefined;
}

/** A schema's complaints as field problems: objects by key, lists by index, unknown keys under their own name; one a place. */
export function problemsOf({ issues }: ZodError): SchemaProblems {
  const found: SchemaProblems = { fields: emptyProblems(), whole: undefined };
  for (const issue of issues) {
    const unknownKeys = issue.code === 'unrecognized_keys' ? issue.keys : undefined;
    for (const key of unknownKeys ?? [undefined]) {
      const path = (key === undefined ? issue.path : [...issue.path, key]).map(String);
      const problem =
        key === undefined
          ? { code: codeOf(issue), message: issue.message }
          : { code: 'validation_unknown_field', message: `Unknown field "${key}".` };
      if (path.length === 0) found.whole ??= problem;
      else putAt(found.fields, path, problem);
    }
  }
  return found;
}

/** Without a prototype: a client may name a field `__proto__` or `constructor`. */
export function emptyProblems(): FieldProblems {
  return Object.create(null) as FieldProblems;
}

export function isProblem(problem: FieldProblem | FieldProblems): problem is FieldProblem {
  return typeof problem.code === 'string' && typeof problem.message === 'string';
}

function codeOf(issue: ZodError['issues'][number]): string {
  const code: unknown = issue.code === 'custom' ? issue.params?.code : undefined;
  return typeof code === 'string' ? code : 'validation_invalid_value';
}

function putAt(fields: FieldProblems, path: readonly string[], problem: FieldProblem): void {
  let level = fields;
  for (const key of path.slice(0, -1)) {
    const next = (level[key] ??= emptyProblems());
    if (isProblem(next)) return;
    level = next;
  }
  level[path.at(-1)!] ??= problem;
}

/** A refusal of one field. */
export function fieldError(field: string, code: string, message: string): AppError {
  return new AppError('invalid', message, { fields: { [field]: { code, message } } });
}
