import type {
  JobEvent,
  ObservedObject,
  ReportAnswer,
  ReportRequest,
  StepEvent,
  UnknownObject,
} from '../../lib/protocol/calls';
import type { UnsupportedObject } from '../../lib/protocol/specs/desired';
import { Backoff } from '../backoff';
import type { AgentClock } from '../clock';
import { ConsoleRefusalError } from './console-client';
import { toMessage } from '../engines/engine-error';
import type { AgentLog } from '../log';
import { waitFor } from '../wait';

export interface ReporterOptions {
  instance: string;
  clock: AgentClock;
  log: AgentLog;
  send(report: ReportRequest, signal: AbortSignal): Promise<ReportAnswer>;
  onRevision(revision: number): void;
}

const GATHER_MS = 250;
/** Bounds of one report, which keep it under the console's body limit. */
const OBJECTS_MAX = 200;
const STEPS_MAX = 500;
const JOBS_MAX = 200;
const UNSUPPORTED_MAX = 200;
const UNKNOWN_MAX = 500;
/** While the console is away only the newest steps are kept. */
const HELD_STEPS_MAX = 5000;
const RETRY = { firstMs: 250, longestMs: 15_000 };

/**
 * Sends what changed. The first change goes at once, later ones are gathered for 250 ms; a report is sent again, with its
 * sequence, until it is acknowledged.
 */
export class Reporter {
  private readonly objects = new Map<string, ObservedObject>();
  private readonly told = new Map<string, string>();
  /** Objects that steps were told of since: they are told again even if they are as they were, which ends what the steps began. */
  private readonly unsettled = new Set<string>();
  private steps: StepEvent[] = [];
  private jobs: JobEvent[] = [];
  private unsupported: UnsupportedObject[] = [];
  private unsupportedToTell: UnsupportedObject[] = [];
  /** Undefined before the first look: nothing is said then. */
  private unknown: UnknownObject[] | undefined;
  private isUnknownToTell = false;
  private sequence = 0;
  private readonly stopping = new AbortController();
  private sending: Promise<void> | undefined;

  constructor(private readonly options: ReporterOptions) {}

  /** Left out when it equals what was told last. */
  takeObject(object: ObservedObject): void {
    const text = JSON.stringify(object);
    const key = keyOf(object);
    if (!this.unsettled.delete(key) && this.told.get(key) === text) return;
    this.told.set(key, text);
    this.objects.set(key, object);
    this.wake();
  }

  takeStep(step: StepEvent): void {
    this.steps.push(step);
    this.unsettled.add(keyOf({ kind: 'workspace', id: step.workspaceId }));
    if (this.steps.length > HELD_STEPS_MAX) this.steps.splice(0, this.steps.length - HELD_STEPS_MAX);
    this.wake();
  }

  /** Only the newest event of a job matters. */
  takeJob(event: JobEvent): void {
    this.jobs = this.jobs.filter((held) => held.id !== event.id);
    this.jobs.push(event);
    this.wake();
  }

  /** Replaces what is asked of this host and can't be read; what was told before is not told again. */
  setUnsupported(objects: UnsupportedObject[]): void {
    const known = new Set(this.unsupported.map((object) => JSON.stringify(object)));
    const news = objects.filter((object) => !known.has(JSON.stringify(object)));
    for (const object of news) this.options.log.warn({ ...object }, 'The console wants what this agent is too old for');
    this.unsupportedToTell = [...this.unsupportedToTell, ...news];
    this.unsupported = objects;
    if (news.length > 0) this.wake();
  }

  /** Forgets what was told of all but these objects, each as `kind id`: what is wanted again later is told again. */
  retain(kept: ReadonlySet<string>): void {
    for (const key of this.told.keys()) if (!kept.has(key)) this.told.delete(key);
    for (const key of this.unsettled) if (!kept.has(key)) this.unsettled.delete(key);
  }

  /** Replaces what this host has and the console does not ask for; told when it changed. */
  setUnknown(objects: UnknownObject[]): void {
    const held = objects.slice(0, UNKNOWN_MAX);
    if (this.unknown && JSON.stringify(held) === JSON.stringify(this.unknown)) return;
    this.unknown = held;
    this.isUnknownToTell = true;
    this.wake();
  }

  /** Tells the state of every known object anew, for a console that may have missed some. */
  tellAll(): void {
    for (const [key, text] of this.told) this.objects.set(key, JSON.parse(text) as ObservedObject);
    this.unsupportedToTell = this.unsupported;
    this.isUnknownToTell = this.unknown !== undefined;
    this.wake();
  }

  /** Gives up what couldn't be told. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.sending;
  }

  private wake(): void {
    if (this.sending || this.stopping.signal.aborted) return;
    // The rest of this turn's changes belong into the same report.
    this.sending = Promise.resolve()
      .then(() => this.sendAll())
      .finally(() => {
        this.sending = undefined;
        if (this.hasNews()) this.wake();
      });
  }

  private async sendAll(): Promise<void> {
    while (this.hasNews() && !this.stopping.signal.aborted) {
      const sentAtMs = this.options.clock.now();
      await this.deliver(this.takeBatch());
      const restMs = GATHER_MS - (this.options.clock.now() - sentAtMs);
      if (restMs > 0) await waitFor(restMs, this.stopping.signal);
    }
  }

  private hasNews(): boolean {
    const count = this.objects.size + this.steps.length + this.jobs.length + this.unsupportedToTell.length;
    return (count > 0 || this.isUnknownToTell) && !this.stopping.signal.aborted;
  }

  private takeBatch(): Omit<ReportRequest, 'sentAt'> {
    this.sequence += 1;
    const steps = this.steps.splice(0, STEPS_MAX);
    const { instance } = this.options;
    return {
      instance,
      sequence: this.sequence,
      objects: this.takeObjects(),
      steps,
      jobs: this.jobs.splice(0, JOBS_MAX),
      unsupported: this.takeUnsupported(),
      ...this.takeUnknown(),
    };
  }

  /** An object waits for the steps that led to it: told before them, they would look like something new. */
  private takeObjects(): ObservedObject[] {
    const waiting = new Set(this.steps.map(({ workspaceId }) => workspaceId));
    const objects = [...this.objects.values()]
      .filter(({ kind, id }) => kind !== 'workspace' || !waiting.has(id))
      .slice(0, OBJECTS_MAX);
    for (const object of objects) this.objects.delete(keyOf(object));
    return objects;
  }

  private takeUnknown(): { unknown?: UnknownObject[] } {
    if (!this.isUnknownToTell || !this.unknown) return {};
    this.isUnknownToTell = false;
    return { unknown: this.unknown };
  }

  private takeUnsupported(): UnsupportedObject[] {
    const batch = this.unsupportedToTell.slice(0, UNSUPPORTED_MAX);
    this.unsupportedToTell = this.unsupportedToTell.slice(batch.length);
    return batch;
  }

  private async deliver(batch: Omit<ReportRequest, 'sentAt'>): Promise<void> {
    const { clock, log, send } = this.options;
    const backoff = new Backoff({ ...RETRY, random: () => clock.random() });
    while (!this.stopping.signal.aborted) {
      try {
        const answer = await send({ ...batch, sentAt: clock.now() }, this.stopping.signal);
        this.options.onRevision(answer.revision);
        if (answer.acknowledged >= batch.sequence) return;
      } catch (error) {
        if (error instanceof ConsoleRefusalError && error.isHopeless) {
          return log.error(
            { error: error.message, sequence: batch.sequence },
            'The console refuses a report; it is dropped',
          );
        }
        log.debug({ error: toMessage(error), sequence: batch.sequence }, 'A report was not taken; it is sent again');
      }
      await waitFor(50 + backoff.next(), this.stopping.signal);
    }
  }
}

function keyOf({ kind, id }: Pick<ObservedObject, 'kind' | 'id'>): string {
  return `${kind} ${id}`;
}
