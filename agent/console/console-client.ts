import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { z } from 'zod';
import {
  AGENT_REFUSALS,
  type DesiredRead,
  desiredAnswerSchema,
  type HeartbeatAnswer,
  heartbeatAnswerSchema,
  type HeartbeatRequest,
  jobLockAnswerSchema,
  type JobLockRequest,
  type JobLogRequest,
  jobLogAnswerSchema,
  type JoinAnswer,
  joinAnswerSchema,
  type JoinRequest,
  type ReportAnswer,
  reportAnswerSchema,
  type ReportRequest,
} from '../../lib/protocol/calls';
import { parseJson } from '../../lib/protocol/parse-json';
import { describeMisfit, type Spoken, spokenHere } from '../../lib/protocol/version';
import type { AgentClock } from '../clock';
import { request } from '../undici';
import { toMessage } from '../engines/engine-error';
import type { SignedAnswer } from '../../lib/protocol/answer-signature';
import { checkAnswer } from './answer-check';
import type { Identity } from './identity';

/** The console doesn't answer, or answers something that is no answer. Worth another try later. */
export class ConsoleAwayError extends Error {
  override name = 'ConsoleAwayError';
}

/** The console answers and refuses. `code` is one of AGENT_REFUSALS where it said so, else empty. */
export class ConsoleRefusalError extends Error {
  override name = 'ConsoleRefusalError';

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }

  /** Whether the console will never take this very body: it is malformed, too large, or about something that is gone. */
  get isHopeless(): boolean {
    return this.code === '' && [400, 404, 410, 413, 422].includes(this.status);
  }
}

export interface ConsoleClientOptions {
  /** Without a trailing slash. */
  consoleUrl: string;
  identity: Identity;
  clock: AgentClock;
  dispatcher: Dispatcher;
}

interface Call<T> {
  method: 'GET' | 'POST';
  path: string;
  body?: unknown;
  answer: z.ZodType<T>;
  isSigned?: boolean;
  signal?: AbortSignal | undefined;
}

const CALL_TIMEOUT_MS = 30_000;

const refusalSchema = z.object({
  message: z.string().default(''),
  now: z.number().optional(),
  data: z.object({ agent: z.object({ code: z.string(), message: z.string() }).optional() }).default({}),
});
const nowSchema = z.object({ now: z.number() });

/** The agent's calls to the console, signed. Throws ConsoleAwayError and ConsoleRefusalError. */
export class ConsoleClient {
  /** Version of the words that the console speaks; 0 until it has said. */
  consoleProtocol = 0;
  /** What to add to the own clock to get the console's. */
  private offsetMs = 0;

  constructor(private readonly options: ConsoleClientOptions) {}

  /** Without a trailing slash. */
  get consoleUrl(): string {
    return this.options.consoleUrl;
  }

  async join(body: JoinRequest, signal: AbortSignal): Promise<JoinAnswer> {
    const path = '/api/agent/join';
    const call = { method: 'POST', path, body, answer: joinAnswerSchema, isSigned: false, signal } as const;
    return this.noteProtocol(await this.demand(call));
  }

  async heartbeat(body: HeartbeatRequest, signal: AbortSignal): Promise<HeartbeatAnswer> {
    const path = '/api/agent/heartbeat';
    const call = { method: 'POST', path, body, answer: heartbeatAnswerSchema, signal } as const;
    return this.noteProtocol(await this.demand(call));
  }

  /** Null when nothing changed since the revision. */
  desired(since: number, signal: AbortSignal): Promise<DesiredRead | null> {
    return this.call({ method: 'GET', path: `/api/agent/desired?since=${since}`, answer: desiredAnswerSchema, signal });
  }

  report(body: ReportRequest, signal: AbortSignal): Promise<ReportAnswer> {
    return this.demand({ method: 'POST', path: '/api/agent/report', body, answer: reportAnswerSchema, signal });
  }

  /** The highest chunk up to which the console holds all. */
  async jobLog(jobId: string, body: JobLogRequest, signal: AbortSignal): Promise<number> {
    const path = `/api/agent/jobs/${encodeURIComponent(jobId)}/log`;
    return (await this.demand({ method: 'POST', path, body, answer: jobLogAnswerSchema, signal })).acknowledged;
  }

  async jobLock(jobId: string, body: JobLockRequest, signal: AbortSignal): Promise<void> {
    const path = `/api/agent/jobs/${encodeURIComponent(jobId)}/lock`;
    await this.call({ method: 'POST', path, body, answer: jobLockAnswerSchema, signal });
  }

  /** A file of a job's build context. What it holds is checked by the job's own hash of it. */
  async jobFile(jobId: string, file: string, signal: AbortSignal): Promise<Readable> {
    const path = `/api/agent/jobs/${encodeURIComponent(jobId)}/files/${encodeURIComponent(file)}`;
    const url = `${this.options.consoleUrl}${path}`;
    const authorization = await this.authorize('GET', url, '');
    const { dispatcher } = this.options;
    try {
      const { statusCode, body } = await request(url, {
        method: 'GET',
        dispatcher,
        headers: { authorization },
        headersTimeout: CALL_TIMEOUT_MS,
        bodyTimeout: CALL_TIMEOUT_MS,
        signal,
      });
      if (statusCode === 200) return body;
      const refusal = refusalSchema.safeParse(parseJson(await body.text()));
      throw new ConsoleRefusalError(statusCode, '', refusal.data?.message || `HTTP ${statusCode}`);
    } catch (error) {
      if (error instanceof ConsoleRefusalError || signal.aborted) throw error;
      throw this.away(error);
    }
  }

  /** Where the live link of this process is, and the header that opens it. */
  async linkTarget(instance: string): Promise<{ url: string; authorization: string }> {
    const url = `${this.options.consoleUrl}/api/agent/link?instance=${instance}`;
    const authorization = await this.authorize('GET', url, '');
    return { url: url.replace(/^http/, 'ws'), authorization };
  }

  /** Refuses a console whose words this agent doesn't understand. */
  private noteProtocol<T extends Spoken>(answer: T): T {
    this.consoleProtocol = answer.protocol;
    const misfit = describeMisfit(spokenHere, answer);
    if (misfit !== '') throw new ConsoleRefusalError(200, AGENT_REFUSALS.protocol, misfit);
    return answer;
  }

  private async demand<T>(call: Call<T>): Promise<T> {
    const answer = await this.call(call);
    if (answer === null) throw new ConsoleAwayError(`${call.path} answered nothing`);
    return answer;
  }

  private async call<T>(call: Call<T>): Promise<T | null> {
    try {
      return await this.send(call);
    } catch (error) {
      const isSkewed = error instanceof ConsoleRefusalError && error.code === AGENT_REFUSALS.clockSkew;
      if (!isSkewed) throw error;
      return this.send(call);
    }
  }

  private async send<T>({ method, path, body, answer, isSigned = true, signal }: Call<T>): Promise<T | null> {
    const url = `${this.options.consoleUrl}${path}`;
    const text = body === undefined ? '' : JSON.stringify(body);
    const timeout = AbortSignal.timeout(CALL_TIMEOUT_MS);
    const authorization = isSigned ? await this.authorize(method, url, text) : '';
    try {
      const response = await request(url, {
        method,
        dispatcher: this.options.dispatcher,
        headers: {
          ...(isSigned ? { authorization } : {}),
          ...(text ? { 'content-type': 'application/json' } : {}),
        },
        ...(text ? { body: text } : {}),
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      });
      const received = await response.body.text();
      await this.knowConsole(response.headers, { authorization, status: response.statusCode, body: received });
      return this.read({ status: response.statusCode, date: response.headers.date, received, path, answer });
    } catch (error) {
      if (error instanceof ConsoleRefusalError || error instanceof ConsoleAwayError) throw error;
      throw this.away(error);
    }
  }

  private away(error: unknown): ConsoleAwayError {
    const words = `The console can't be reached at ${this.options.consoleUrl}: ${toMessage(error)}`;
    return new ConsoleAwayError(words, { cause: error });
  }

  /** The first console that signs is the one that this host obeys from then on. */
  private async knowConsole(headers: Dispatcher.ResponseData['headers'], answer: SignedAnswer): Promise<void> {
    const { identity } = this.options;
    const key = checkAnswer(identity.consoleKey, headers, answer);
    if (key !== identity.consoleKey) await identity.setConsoleKey(key);
  }

  private read<T>(got: {
    status: number;
    date: unknown;
    received: string;
    path: string;
    answer: z.ZodType<T>;
  }): T | null {
    const { status, received, path, answer } = got;
    if (status === 204) return null;
    const value = parseJson(received);
    const stamp = nowSchema.safeParse(value);
    if (stamp.success) this.setConsoleTime(stamp.data.now);
    else if (status === 401 && typeof got.date === 'string') this.setConsoleTime(Date.parse(got.date));
    if (status >= 200 && status < 300) {
      const parsed = answer.safeParse(value);
      if (parsed.success) return parsed.data;
      throw new ConsoleAwayError(`${path} answered in an unknown shape: ${parsed.error.message}`);
    }
    const refusal = refusalSchema.safeParse(value);
    const agent = refusal.data?.data.agent;
    const words = agent?.message || refusal.data?.message || `HTTP ${status}`;
    if (status >= 400 && status < 500) throw new ConsoleRefusalError(status, agent?.code ?? '', words);
    throw new ConsoleAwayError(`${path} failed: ${words}`);
  }

  private authorize(method: string, url: string, body: string): Promise<string> {
    const nowMs = this.options.clock.now() + this.offsetMs;
    return this.options.identity.prove({ method, url, body, nowMs }).then((proof) => `Bearer ${proof}`);
  }

  private setConsoleTime(nowMs: number): void {
    if (Number.isFinite(nowMs)) this.offsetMs = nowMs - this.options.clock.now();
  }
}
