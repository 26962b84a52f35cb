import { ZodError } from 'zod';
import {
  AppError,
  emptyProblems,
  type ErrorCode,
  type FieldProblems,
  GENERIC_MESSAGE,
  isProblem,
  problemsOf,
} from '@/lib/errors';
import { log } from '@/lib/log';
import { describeStorageFault } from '@/lib/storage-fault';
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

/** The problems with every message as a sentence. */
function asSentences(problems: FieldProblems): FieldProblems {
  const sentences = emptyProblems();
  for (const [name, problem] of Object.entries(problems)) {
    sentences[name] = isProblem(problem) ? { ...problem, message: toSentence(problem.message) } : asSentences(problem);
  }
  return sentences;
}

/** Turns whatever a handler threw into the answer of the record API: `{code, message, data}`. */
export function toErrorResponse(error: unknown, request: { method: string; path: string }): KernelResponse {
  const known = error instanceof ZodError ? refusalOf(error) : error;
  if (!(known instanceof AppError)) {
    log.error({ err: error, method: request.method, path: request.path }, 'request failed');
    return errorBody(statusByCode.internal, describeStorageFault(known) ?? GENERIC_MESSAGE, {});
  }
  if (known.cause !== undefined)
    log.warn({ err: known.cause, method: request.method, path: request.path }, known.message);
  const response = errorBody(statusByCode[known.code], known.message, { ...asSentences(known.fields), ...known.extra });
  if (known.retryAfterSeconds !== undefined) response.headers = { 'retry-after': String(known.retryAfterSeconds) };
  return response;
}

function refusalOf(error: ZodError): AppError {
  const { fields, whole } = problemsOf(error);
  return new AppError('invalid', GENERIC_MESSAGE, { fields: whole ? { body: whole, ...fields } : fields });
}

function errorBody(status: number, message: string, data: Readonly<Record<string, unknown>>): KernelResponse {
  return { status, json: { code: status, message: toSentence(message), data } };
}
