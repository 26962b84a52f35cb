import { AGENT_REFUSALS, type HeartbeatAnswer } from '../../lib/protocol/calls';
import { PROTOCOL_VERSION } from '../../lib/protocol/version';
import { Backoff } from '../backoff';
import type { AgentClock } from '../clock';
import { ConsoleRefusalError, type ConsoleClient } from './console-client';
import type { DesiredStore } from './desired-store';
import { toMessage } from '../engines/engine-error';
import type { AgentLog } from '../log';
import { waitFor } from '../wait';

export interface SyncOptions {
  client: ConsoleClient;
  desired: DesiredStore;
  clock: AgentClock;
  log: AgentLog;
  beat(signal: AbortSignal): Promise<HeartbeatAnswer>;
  /** What is wanted has changed. */
  onDesired(): void;
  /** The reconciliation interval is over. */
  onResync(): void;
  /** The console takes heartbeats, for the first time or again. */
  onTaken(): void;
}

const RETRY = { firstMs: 500, longestMs: 10_000 };
/** While another process with this identity may still be alive. */
const DUPLICATE_RETRY_MS = 3000;
/** After a refusal that only an admin can mend. */
const REFUSED_RETRY_MS = 30_000;
const JITTER = 0.1;

/** Keeps the heartbeat going and what is wanted up to date. A console that is away is waited for quietly. */
export class ConsoleSync {
  private readonly stopping = new AbortController();
  private running: Promise<void>[] = [];
  private fetching: Promise<void> | undefined;
  private wantedRevision = 0;
  private isResyncDue = true;
  private lastResyncMs = 0;
  private lastComplaint = '';
  private toldProtocol: number = PROTOCOL_VERSION;
  private isTaken = false;
  private nudge: AbortController | undefined;

  constructor(private readonly options: SyncOptions) {}

  start(): void {
    this.running = [this.keepBeating()];
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.running);
    await this.fetching;
  }

  /** The console holds this revision: fetches at once when it is news. */
  noteRevision(revision: number): void {
    this.wantedRevision = Math.max(this.wantedRevision, revision);
    if (this.wantedRevision > this.options.desired.revision) this.fetch();
  }

  /** Fetches whether or not a higher revision is known, for a link that may have missed a wake-up. */
  refresh(): void {
    this.isResyncDue = true;
    this.fetch();
    this.nudge?.abort();
  }

  private async keepBeating(): Promise<void> {
    const { clock } = this.options;
    const backoff = new Backoff({ ...RETRY, random: () => clock.random() });
    while (!this.stopping.signal.aborted) {
      this.nudge = new AbortController();
      const waitMs = await this.beatOnce(backoff);
      await waitFor(waitMs, AbortSignal.any([this.stopping.signal, this.nudge.signal]));
    }
  }

  /** Returns how long to wait for the next. */
  private async beatOnce(backoff: Backoff): Promise<number> {
    const { beat, clock } = this.options;
    try {
      const answer = await beat(this.stopping.signal);
      this.complain('');
      this.tellProtocol();
      backoff.reset();
      if (!this.isTaken) this.options.onTaken();
      this.isTaken = true;
      const resyncMs = answer.reconciliationIntervalSeconds * 1000;
      if (clock.now() - this.lastResyncMs >= resyncMs) this.resync();
      this.noteRevision(answer.revision);
      const intervalMs = Math.min(answer.heartbeatIntervalSeconds * 1000, resyncMs);
      return intervalMs * (1 - JITTER + 2 * JITTER * clock.random());
    } catch (error) {
      return this.waitAfter(error, backoff);
    }
  }

  /** Says once that the console is of another version: it may want what this agent doesn't know. */
  private tellProtocol(): void {
    const { client, log } = this.options;
    if (client.consoleProtocol === this.toldProtocol) return;
    this.toldProtocol = client.consoleProtocol;
    log.info({ own: PROTOCOL_VERSION, console: client.consoleProtocol }, 'The console speaks another protocol version');
  }

  private resync(): void {
    this.lastResyncMs = this.options.clock.now();
    this.isResyncDue = true;
    this.fetch();
    this.options.onResync();
  }

  private waitAfter(error: unknown, backoff: Backoff): number {
    this.isTaken = false;
    if (this.stopping.signal.aborted) return 0;
    if (!(error instanceof ConsoleRefusalError)) {
      this.options.log.debug({ error: toMessage(error) }, 'The console is away');
      return 100 + backoff.next();
    }
    this.complain(describeRefusal(error));
    if (error.code === AGENT_REFUSALS.duplicateInstance) return DUPLICATE_RETRY_MS;
    // The client knows the console's time by now: a clock that jumped twice needs no admin.
    if (error.code === AGENT_REFUSALS.clockSkew) return 100 + backoff.next();
    return error.code === AGENT_REFUSALS.replayed ? 100 : REFUSED_RETRY_MS;
  }

  /** Says a thing once, not at every try. */
  private complain(words: string): void {
    if (words !== '' && words !== this.lastComplaint) this.options.log.error({}, words);
    if (words === '' && this.lastComplaint !== '') this.options.log.info({}, 'The console takes this host again');
    this.lastComplaint = words;
  }

  private fetch(): void {
    if (this.fetching || this.stopping.signal.aborted) return;
    this.fetching = this.fetchAll().finally(() => {
      this.fetching = undefined;
    });
  }

  private async fetchAll(): Promise<void> {
    const { client, clock, desired, log } = this.options;
    const backoff = new Backoff({ ...RETRY, random: () => clock.random() });
    while ((this.isResyncDue || this.wantedRevision > desired.revision) && !this.stopping.signal.aborted) {
      this.isResyncDue = false;
      try {
        const answer = await client.desired(desired.revision, this.stopping.signal);
        const isNews = answer !== null && desired.apply(answer);
        if (isNews) this.options.onDesired();
        else this.wantedRevision = desired.revision;
      } catch (error) {
        log.debug({ error: toMessage(error) }, 'What is wanted could not be fetched');
        this.isResyncDue = true;
        await waitFor(100 + backoff.next(), this.stopping.signal);
      }
    }
  }
}

export function describeRefusal({ code, message }: ConsoleRefusalError): string {
  switch (code) {
    case AGENT_REFUSALS.unknownHost:
      return `The console doesn't know this host (any more): ${message}. Join again with a new token and an empty state folder.`;
    case AGENT_REFUSALS.duplicateInstance:
      return `Another agent with this host's identity is running: ${message}. This one waits until it is gone.`;
    case AGENT_REFUSALS.protocol:
      return `The console and this agent don't speak the same protocol. ${message}`;
    default:
      return `The console refuses this host: ${message}`;
  }
}
