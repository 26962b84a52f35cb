/** Why a mail was not handed over. */
export type MailProblem = 'connect' | 'timeout' | 'tls' | 'login' | 'refused' | 'dropped' | 'outbox' | 'unknown';

const SENTENCES: Record<MailProblem, string> = {
  connect: 'The mail server could not be reached',
  timeout: 'The mail server did not answer in time',
  tls: 'The secure connection to the mail server could not be made',
  login: 'The mail server refused the user name or the password',
  refused: 'The mail server refused the mail',
  dropped: 'The mail server ended the connection before it had taken the mail',
  outbox: 'The mail could not be written to the outbox folder',
  unknown: 'The mail could not be sent',
};

/** A mail that was not handed over, in words that may be shown and logged: no address, nothing of the mail. */
export class MailError extends Error {
  readonly problem: MailProblem;
  /** The server answered that this will not change by trying again. */
  readonly isFinal: boolean;

  constructor(problem: MailProblem, { detail = '', isFinal = false }: { detail?: string; isFinal?: boolean } = {}) {
    super(`${SENTENCES[problem]}${detail === '' ? '' : ` (${detail})`}.`);
    this.name = 'MailError';
    this.problem = problem;
    this.isFinal = isFinal;
  }
}

const CONNECT_CODES = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'EDNS']);
/** A connection that ends shows as one of these, by who notices first. */
const DROPPED_CODES = new Set(['ECONNECTION', 'ECONNRESET', 'EPIPE', 'ESOCKET']);
const TLS_WORDS = /certificate|CERT|TLS|SSL|UNABLE_TO|SELF_SIGNED/;

/** What went wrong, from an error of the SMTP client, whose own words quote addresses. */
export function toMailError(error: unknown, { isOutbox }: { isOutbox: boolean }): MailError {
  if (error instanceof MailError) return error;
  const { code, cause, responseCode, message } = partsOf(error);
  const detail = responseCode === 0 ? cause || code : String(responseCode);
  const isFinal = responseCode >= 500;
  if (isOutbox) return new MailError('outbox', { detail: code });
  if (code === 'EAUTH') return new MailError('login', { detail, isFinal });
  if (responseCode > 0) return new MailError('refused', { detail, isFinal });
  // Several at once are the addresses of one name, none of which could be reached.
  const isNoneReached = error instanceof AggregateError;
  if (isNoneReached || CONNECT_CODES.has(code) || CONNECT_CODES.has(cause)) return new MailError('connect', { detail });
  if (code === 'ETIMEDOUT') return new MailError('timeout');
  if (TLS_WORDS.test(`${code} ${cause} ${message}`)) return new MailError('tls', { detail: cause });
  if (DROPPED_CODES.has(code) || DROPPED_CODES.has(cause)) return new MailError('dropped');
  return new MailError('unknown', { detail: code });
}

interface ErrorParts {
  code: string;
  cause: string;
  responseCode: number;
  /** For telling kinds apart only: it may quote an address. */
  message: string;
}

function partsOf(error: unknown): ErrorParts {
  const read = (from: unknown, key: string): unknown =>
    typeof from === 'object' && from !== null && key in from ? (from as Record<string, unknown>)[key] : undefined;
  const textOf = (value: unknown): string =>
    typeof value === 'string' && /^[A-Z0-9_]{1,60}$/.test(value) ? value : '';
  const response = read(error, 'responseCode');
  // The client puts its own code over the system's, which is left in the message.
  const message = String(read(error, 'message') ?? '');
  const system = /\b(E[A-Z]{4,}|[A-Z]+_CERT[A-Z_]*|UNABLE_TO[A-Z_]*)\b/.exec(message)?.[1];
  return {
    code: textOf(read(error, 'code')),
    cause: textOf(read(read(error, 'cause'), 'code')) || (system ?? ''),
    responseCode: typeof response === 'number' ? response : 0,
    message,
  };
}
