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

/** A refusal of one field. */
export function fieldError(field: string, code: string, message: string): AppError {
  return new AppError('invalid', message, { fields: { [field]: { code, message } } });
}
