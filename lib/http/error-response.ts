import { ZodError } from 'zod';
import { AppError, type ErrorCode, type FieldProblems, GENERIC_MESSAGE } from '@/lib/errors';
import { log } from '@/lib/log';
import type { KernelResponse } from './context';

/** The one table from error code to HTTP status. There is no 500: whatever is unexpected answers a general 400. */
const statusByCode: Record<ErrorCode, number> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  rate_limited: 429,
  host_unavailable: 503,
  internal: 400,
};

/** First letter upper-case, a full stop unless it ends a sentence already. */
export function toSentence(message: string): string {
  const text = message.trim();
  if (text === '') return GENERIC_MESSAGE;
  const capital = text[0]!.toUpperCase() + text.slice(1);
  return /[.?!]$/.test(capital) ? capital : `${capital}.`;
}

/** Field problems of a failed schema, nested by path: objects by key, lists by index. */
export function problemsOf(error: ZodError): FieldProblems {
  const problems = noProblems();
  for (const issue of error.issues) {
    const unknownKeys = issue.code === 'unrecognized_keys' ? issue.keys : [undefined];
    for (const key of unknownKeys) {
      const path = key === undefined ? issue.path : [...issue.path, key];
      const message = key === undefined ? issue.message : 'Unknown field.';
      putProblem(problems, path.map(String), {
        code: key === undefined ? codeOf(issue) : 'validation_unknown_field',
        message,
      });
    }
  }
  return problems;
}

function codeOf(issue: ZodError['issues'][number]): string {
  const custom = issue.code === 'custom' ? (issue.params?.code as string | undefined) : undefined;
  if (custom) return custom;
  return 'input' in issue && issue.input === undefined ? 'validation_required' : 'validation_invalid_value';
}

/** Without a prototype: a client may name a field `__proto__` or `constructor`. */
function noProblems(): FieldProblems {
  return Object.create(null) as FieldProblems;
}

function putProblem(problems: FieldProblems, path: string[], problem: { code: string; message: string }): void {
  let level = problems;
  const keys = path.length > 0 ? path : ['body'];
  for (const key of keys.slice(0, -1)) {
    const next = (level[key] ??= noProblems());
    if ('code' in next && typeof next.code === 'string') return;
    level = next as FieldProblems;
  }
  level[keys.at(-1)!] ??= problem;
}

/** The problems with every message as a sentence. */
function asSentences(problems: FieldProblems): FieldProblems {
  const sentences = noProblems();
  for (const [name, problem] of Object.entries(problems)) {
    const { code, message } = problem;
    const isOne = typeof code === 'string' && typeof message === 'string';
    sentences[name] = isOne ? { code, message: toSentence(message) } : asSentences(problem as FieldProblems);
  }
  return sentences;
}

/** Turns whatever a handler threw into the answer of the record API: `{code, message, data}`. */
export function toErrorResponse(error: unknown, request: { method: string; path: string }): KernelResponse {
  const known =
    error instanceof ZodError ? new AppError('invalid', GENERIC_MESSAGE, { fields: problemsOf(error) }) : error;
  if (!(known instanceof AppError)) {
    log.error({ err: error, method: request.method, path: request.path }, 'request failed');
    return errorBody(statusByCode.internal, GENERIC_MESSAGE, {});
  }
  if (known.cause !== undefined)
    log.warn({ err: known.cause, method: request.method, path: request.path }, known.message);
  const response = errorBody(statusByCode[known.code], known.message, { ...asSentences(known.fields), ...known.extra });
  if (known.retryAfterSeconds !== undefined) response.headers = { 'retry-after': String(known.retryAfterSeconds) };
  return response;
}

function errorBody(status: number, message: string, data: Readonly<Record<string, unknown>>): KernelResponse {
  return { status, json: { code: status, message: toSentence(message), data } };
}
