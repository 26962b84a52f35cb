import { z } from 'zod';
import { EngineError, type EngineErrorKind, toMessage } from '../engine-error';

const dockerErrorSchema = z.object({
  statusCode: z.number().optional(),
  code: z.string().optional(),
  reason: z.string().optional().catch(undefined),
  /** Null or plain text where the engine's answer was no JSON. */
  json: z.object({ message: z.string() }).optional().catch(undefined),
});

const UNREACHABLE_CODES = new Set([
  'ECONNREFUSED',
  'ENOENT',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EACCES',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
]);

/** What dockerode puts before the engine's words. */
const DOCKERODE_PREFIX = /^\(HTTP code \d+\) [^-]* - /;

const NO_SPACE = /no space left on device/i;
const FULL_DISK = 'The disk of the host is full; remove images or files.';

/** Whether a program's own words say that its disk is full. */
export function saysDiskIsFull(text: string): boolean {
  return NO_SPACE.test(text);
}

/** The failure of something that filled the disk and didn't say so. */
export function withFullDisk(error: EngineError): EngineError {
  if (error.message.includes(FULL_DISK)) return error;
  return new EngineError(error.kind, `${error.message}. ${FULL_DISK}`, { cause: error });
}

interface Hint {
  words: RegExp;
  kind: EngineErrorKind;
  advice: string;
}

/** Docker answers 500 for much that a retry can't mend; its words tell which. */
const HINTS: Hint[] = [
  {
    words: /port is already allocated|address already in use/i,
    kind: 'conflict',
    advice: 'Choose another host port, or stop what uses this one.',
  },
  {
    words: /could not select device driver|nvidia-container-cli/i,
    kind: 'invalid',
    advice: 'The host has no usable GPU driver for Docker; install the NVIDIA Container Toolkit or choose no GPU.',
  },
  {
    words: /address pools? (?:have been|has been)|non-overlapping IPv4 address pool|all predefined address pools/i,
    kind: 'busy',
    advice: 'The engine has no room for another network: set BERTH_NETWORK_POOL of the agent to a larger range.',
  },
  { words: /has active endpoints/i, kind: 'conflict', advice: '' },
  { words: /unknown or invalid runtime name/i, kind: 'invalid', advice: 'Choose a runtime that this host offers.' },
  {
    words: /executable file not found|no such file or directory: unknown/i,
    kind: 'invalid',
    advice: 'Check the command and the arguments.',
  },
  { words: /OCI runtime create failed|failed to create (shim|task)/i, kind: 'invalid', advice: '' },
  {
    words: /marked for removal|removal of container .* is already in progress|is already in progress/i,
    kind: 'busy',
    advice: '',
  },
  { words: NO_SPACE, kind: 'busy', advice: FULL_DISK },
  {
    words: /manifest unknown|manifest for .* not found|repository does not exist/i,
    kind: 'not-found',
    advice: 'Check the image name and tag.',
  },
  {
    words: /pull access denied|unauthorized|no basic auth credentials|authentication required|denied:/i,
    kind: 'invalid',
    advice: "Check the image name and the host's registry log-in.",
  },
  { words: /invalid reference format|repository name must be/i, kind: 'invalid', advice: 'Check the image name.' },
  {
    words:
      /dial tcp|i\/o timeout|TLS handshake timeout|connection refused|no such host|Client\.Timeout|unexpected EOF|toomanyrequests|50[0234] /i,
    kind: 'busy',
    advice: '',
  },
];

/** Joins the engine's words with the advice for them. */
export function explain(words: string): { message: string; kind: EngineErrorKind | undefined } {
  const hint = HINTS.find((entry) => entry.words.test(words));
  const sentence = words.trim().replace(/[.\s]+$/, '');
  return { message: hint?.advice ? `${sentence}. ${hint.advice}` : sentence, kind: hint?.kind };
}

/** Turns whatever dockerode throws into an EngineError; an EngineError stays as it is. */
export function toEngineError(error: unknown): EngineError {
  if (error instanceof EngineError) return error;
  const parsed = dockerErrorSchema.safeParse(error);
  const { statusCode, code, json } = parsed.success ? parsed.data : {};
  if (statusCode === undefined) {
    if (error instanceof Error && error.name === 'AbortError')
      return new EngineError('cancelled', 'Cancelled', { cause: error });
    const isUnreachable =
      (code !== undefined && UNREACHABLE_CODES.has(code)) || /socket hang up/.test(toMessage(error));
    const words = isUnreachable ? `The Docker engine can't be reached: ${toMessage(error)}` : toMessage(error);
    return new EngineError(isUnreachable ? 'unreachable' : 'failed', words, { cause: error });
  }
  const { message, kind } = explain(json?.message ?? toMessage(error).replace(DOCKERODE_PREFIX, ''));
  return new EngineError(kind ?? kindOfStatus(statusCode), message, { cause: error });
}

/** The error for a failure that came as a line of a build's or pull's progress. */
export function toStreamError(words: string): EngineError {
  const { message, kind } = explain(words);
  return new EngineError(kind ?? 'failed', message);
}

function kindOfStatus(status: number): EngineErrorKind {
  if (status === 404) return 'not-found';
  if (status === 409) return 'conflict';
  if (status >= 400 && status < 500) return 'invalid';
  if (status === 503) return 'busy';
  return 'failed';
}
