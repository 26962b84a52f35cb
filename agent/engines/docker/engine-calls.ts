import type Docker from 'dockerode';
import { EngineError } from '../engine-error';

/** How long the engine may take to begin its answer, in milliseconds. */
export interface EnginePatience {
  /** What is read from memory: its own facts. */
  facts: number;
  read: number;
  /** What changes something: a large image on a slow disk takes minutes to become a container. */
  change: number;
  /** What waits for a registry or a builder before it says its first word. */
  job: number;
  /** From here on a call without an answer is told of. */
  remark: number;
  remarkJob: number;
}

export const USUAL_PATIENCE: EnginePatience = {
  facts: 8000,
  read: 30_000,
  change: 300_000,
  job: 120_000,
  remark: 5000,
  remarkJob: 30_000,
};

/** How long a container may take to stop by itself before it is killed. */
export const STOP_GRACE_SECONDS = 10;

interface OpenCall {
  what: string;
  isLate: boolean;
  abort: AbortController;
}

interface Dial {
  method: string;
  path: string;
  isStream?: boolean;
  abortSignal?: AbortSignal;
}
type Callback = (error: unknown, answer: unknown) => void;

/**
 * Gives every call of a client a deadline, and knows which of them have no answer. A stream counts as answered once it has
 * begun.
 */
export class EngineCalls {
  /** Called when a call is late enough to be told of, and when such a call has ended. */
  onRemark: () => void = () => undefined;
  private readonly open = new Set<OpenCall>();
  private isClosed = false;

  constructor(
    docker: Docker,
    private readonly patience: EnginePatience,
  ) {
    const { modem } = docker as unknown as { modem: { dial(options: Dial, callback: Callback): void } };
    const dial = modem.dial.bind(modem);
    modem.dial = (options, callback) => this.watch(options, callback, dial);
  }

  /** The call that is late longest, in words that stay the same while it is; empty when the engine answers. */
  describeHanging(): string {
    const oldest = [...this.open].find((call) => call.isLate);
    return oldest ? `The Docker engine gives no answer to ${oldest.what}` : '';
  }

  /** Gives up whatever has no answer yet. */
  close(): void {
    this.isClosed = true;
    for (const call of this.open) call.abort.abort(BEFORE_THE_END);
  }

  private watch(options: Dial, callback: Callback, dial: (options: Dial, callback: Callback) => void): void {
    if (isUpload(options)) return dial(options, callback);
    const call: OpenCall = { what: describe(options), isLate: false, abort: new AbortController() };
    const { remarkMs, limitMs } = this.limitsOf(options);
    const { signal } = call.abort;
    const remark = setTimeout(() => this.remark(call), remarkMs);
    const settle = (error: unknown, answer: unknown): void => {
      clearTimeout(remark);
      clearTimeout(limit);
      if (!this.open.delete(call)) return;
      if (call.isLate) this.onRemark();
      callback(error && signal.aborted ? toDeadlineError(call, signal.reason) : error, answer);
    };
    const limit = setTimeout(() => {
      call.abort.abort(`within ${Math.round(limitMs / 1000)} s`);
      settle(true, null);
    }, limitMs);
    this.open.add(call);
    if (this.isClosed) call.abort.abort(BEFORE_THE_END);
    const signals = options.abortSignal ? [options.abortSignal, signal] : [signal];
    dial({ ...options, abortSignal: AbortSignal.any(signals) }, settle);
  }

  private remark(call: OpenCall): void {
    call.isLate = true;
    this.onRemark();
  }

  private limitsOf({ method, path, isStream }: Dial): { remarkMs: number; limitMs: number } {
    const { facts, read, change, job, remark, remarkJob } = this.patience;
    if (isStream && method === 'POST') return { remarkMs: remarkJob, limitMs: job };
    // Answered by somebody else's registry.
    if (/^\/auth\b/.test(path)) return { remarkMs: remarkJob, limitMs: read };
    if (/^\/(info|version|_ping)\b/.test(path)) return { remarkMs: remark, limitMs: facts };
    if (method === 'GET' || method === 'HEAD') return { remarkMs: remark, limitMs: read };
    const graceMs = /\/stop\?/.test(path) ? STOP_GRACE_SECONDS * 1000 : 0;
    return { remarkMs: remark + graceMs, limitMs: change + graceMs };
  }
}

/** Answered once all of it is written, which takes as long as it is large: whoever sends it watches over it. */
function isUpload({ method, path }: Dial): boolean {
  return method === 'PUT' && /\/archive\?/.test(path);
}

const BEFORE_THE_END = 'before the agent stopped';

/** `POST /containers/0123456789ab/start` */
function describe({ method, path }: Dial): string {
  return `${method} ${path.replace(/\?.*$/, '').replace(/([0-9a-f]{12})[0-9a-f]{52}/g, '$1')}`;
}

function toDeadlineError({ what }: OpenCall, when: unknown): EngineError {
  return new EngineError('unreachable', `The Docker engine gave no answer to ${what} ${String(when)}`);
}
