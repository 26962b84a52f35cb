import { OAuth2RequestError } from 'arctic';

/** Why a provider's word could not be had. */
export type OAuthProblem =
  'unreachable' | 'tls' | 'timeout' | 'client' | 'code' | 'refused' | 'answer' | 'profile' | 'identity';

const SENTENCES: Record<OAuthProblem, string> = {
  unreachable: 'The provider could not be reached.',
  tls: 'The secure connection to the provider could not be made.',
  timeout: 'The provider did not answer in time.',
  client: 'The provider does not accept this console: its client id or client secret is wrong. Tell an admin.',
  code: 'The provider no longer knows this log-in. Please try again.',
  refused: 'The provider refused the log-in.',
  answer: 'The provider gave an answer that makes no sense. Tell an admin.',
  profile: 'The provider did not hand over the profile.',
  identity: 'The profile of the provider names no id. Tell an admin.',
};

/** Ids of OAuth 2 errors that mean more than a refusal. */
const BY_ID: Record<string, OAuthProblem> = {
  invalid_client: 'client',
  unauthorized_client: 'client',
  invalid_grant: 'code',
  invalid_request: 'refused',
  invalid_scope: 'refused',
  unsupported_grant_type: 'refused',
};

/** A failed talk with a provider, in words that may be shown and logged: none of the provider's own, no secret. */
export class OAuthError extends Error {
  readonly problem: OAuthProblem;
  /** The id of the error, the status or the system's code: for the log and for admins. */
  readonly detail: string;

  constructor(problem: OAuthProblem, detail = '') {
    super(SENTENCES[problem]);
    this.name = 'OAuthError';
    this.problem = problem;
    this.detail = detail;
  }
}

const TLS_CODE = /CERT|TLS|SSL|UNABLE_TO|SELF_SIGNED/;

/** What went wrong, from whatever the exchange threw. */
export function toOAuthError(error: unknown): OAuthError {
  if (error instanceof OAuthError) return error;
  if (error instanceof OAuth2RequestError) {
    const id = /^[a-z_]{1,40}$/.test(error.code) ? error.code : '';
    return new OAuthError(BY_ID[id] ?? 'refused', id);
  }
  return ofNetwork(error);
}

function ofNetwork(error: unknown): OAuthError {
  const name = error instanceof Error ? error.name : '';
  if (name === 'TimeoutError' || name === 'AbortError') return new OAuthError('timeout');
  const code = systemCodeOf(error);
  if (code === 'ETIMEDOUT' || code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'UND_ERR_HEADERS_TIMEOUT') {
    return new OAuthError('timeout', code);
  }
  if (TLS_CODE.test(code)) return new OAuthError('tls', code);
  // A fetch that fails without a code met a port or a redirect that it does not take.
  return code === '' && !(error instanceof TypeError) ? new OAuthError('answer') : new OAuthError('unreachable', code);
}

/** The system's code of a failed fetch, which lies one or two causes deep. */
function systemCodeOf(error: unknown): string {
  let at: unknown = error;
  for (let depth = 0; depth < 4 && at instanceof Error; depth += 1) {
    if ('code' in at && typeof at.code === 'string' && /^[A-Z0-9_]{1,60}$/.test(at.code)) return at.code;
    at = at.cause;
  }
  return '';
}
