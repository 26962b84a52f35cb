import type { JobEvent } from '../../lib/protocol/calls';
import type { HostSpec } from '../../lib/protocol/specs/host';
import type { JobSpec } from '../../lib/protocol/specs/job';
import type { AgentClock } from '../clock';
import type { Engine, ImageResult, JobOptions } from '../engines/engine';
import { EngineError, toMessage } from '../engines/engine-error';
import type { AgentLog } from '../log';
import { Backoff } from '../backoff';
import { waitFor } from '../wait';
import type { BuildFiles } from './build-files';
import { Deadline } from './deadline';
import type { SendLock } from './hand-in-lock';
import type { JobJournal } from './journal';
import type { JobLog } from './job-log';
import { dropResult, performJob } from './perform-job';
import { inTurn, type Waiting } from './turns';

export interface RunnerOptions {
  engine: Engine;
  hostId: string;
  journal: JobJournal;
  clock: AgentClock;
  log: AgentLog;
  files: BuildFiles;
  sendLock: SendLock;
  createLog(jobId: string): JobLog;
  onEvent(event: JobEvent): void;
}

interface Job extends Waiting {
  id: string;
  spec: JobSpec;
  phase: 'queued' | 'running';
  toldPlace: number;
  /** Why it can't begin, while the engine is away. */
  waitsFor: string;
  abort: AbortController;
  finished: Promise<void>;
}

const RESTARTED = 'The agent restarted during the build; build again';
const STATE_ADVICE = 'Free space on the disk of the host, then try again.';
const LOG_FLUSH_MS = 3000;
const ENGINE_RETRY = { firstMs: 500, longestMs: 10_000 };
const CHECK_WIDTH = 2;
/** Pulls wait for the network rather than for the processor. */
const PULL_WIDTH = 3;

/** Does builds, pulls and removals of images: each once, builds at the host's width, the rest waiting for their turns. */
export class JobRunner {
  private readonly jobs = new Map<string, Job>();
  private host: HostSpec | null = null;
  private isStopped = false;
  /** When each owner last began a job, as a count. */
  private readonly lastBegun = new Map<string, number>();
  private begun = 0;
  /** Finished jobs whose outcome this process has told. */
  private readonly told = new Set<string>();

  constructor(private readonly options: RunnerOptions) {}

  get runningIds(): string[] {
    return [...this.jobs.values()].filter((job) => job.phase === 'running').map((job) => job.id);
  }

  /** Replaces what is wanted. Jobs that are wanted no longer are cancelled. */
  setDesired(wanted: ReadonlyMap<string, JobSpec | null>, host: HostSpec | null): void {
    this.host = host;
    for (const [id, spec] of wanted) if (spec) this.takeJob(id, spec);
    for (const job of this.jobs.values()) {
      const spec = wanted.get(job.id);
      if (!spec || spec.cancel) this.cancel(job);
    }
    const kept = new Set([...wanted].filter(([, spec]) => spec !== null).map(([id]) => id));
    for (const id of this.jobs.keys()) kept.add(id);
    this.options.journal.retain(kept).catch((error: unknown) => this.warn(error));
    this.fill();
  }

  /** Ends what runs. The journal still says "running", so the next start knows that it was cut off. */
  async stop(): Promise<void> {
    this.isStopped = true;
    const jobs = [...this.jobs.values()];
    for (const job of jobs) job.abort.abort();
    await Promise.all(jobs.map((job) => job.finished));
  }

  private takeJob(id: string, spec: JobSpec): void {
    if (this.jobs.has(id) || this.isStopped) return;
    const entry = this.options.journal.get(id);
    if (entry?.outcome) return this.tellOutcome(entry.outcome);
    if (entry && spec.job === 'build') return void this.closeCutOff(id, spec);
    if (spec.cancel) return void this.close(id, spec, { status: 'cancelled', message: '' });
    const abort = new AbortController();
    const owner = spec.owner ?? '';
    this.jobs.set(id, {
      id,
      owner,
      spec,
      phase: 'queued',
      toldPlace: -1,
      waitsFor: '',
      abort,
      finished: Promise.resolve(),
    });
  }

  private tellOutcome(outcome: JobEvent): void {
    if (this.told.has(outcome.id)) return;
    this.told.add(outcome.id);
    this.options.onEvent(outcome);
  }

  private cancel(job: Job): void {
    if (job.phase === 'running') return job.abort.abort();
    this.jobs.delete(job.id);
    void this.close(job.id, job.spec, { status: 'cancelled', message: '' });
  }

  /** Starts what there is room for, everyone in turn, and tells the others their places. */
  private fill(): void {
    if (this.isStopped) return;
    const build = this.host?.buildWidth ?? 1;
    const room = { build, check: CHECK_WIDTH, pull: PULL_WIDTH, 'remove-image': Infinity };
    for (const kind of Object.keys(room) as JobSpec['job'][]) this.fillKind(kind, room[kind]);
  }

  private fillKind(kind: JobSpec['job'], width: number): void {
    const jobs = [...this.jobs.values()].filter(({ spec }) => spec.job === kind);
    const running = new Map<string, number>();
    for (const { owner, phase } of jobs) if (phase === 'running') running.set(owner, (running.get(owner) ?? 0) + 1);
    const waiting = jobs.filter((job) => job.phase === 'queued' && !this.isHeldUp(job));
    const runningCount = jobs.filter(({ phase }) => phase === 'running').length;
    const ordered = inTurn(waiting, { running, lastBegun: this.lastBegun });
    const begun = Math.max(0, Math.min(width - runningCount, waiting.length));
    for (const job of ordered.slice(0, begun)) this.begin(job);
    for (const [index, job] of ordered.slice(begun).entries()) this.tellPlace(job, index + 1);
  }

  /** An image is removed once nothing makes it any more. */
  private isHeldUp({ spec }: Job): boolean {
    if (spec.job !== 'remove-image') return false;
    return [...this.jobs.values()].some(
      (other) => other.phase === 'running' && other.spec.job !== 'remove-image' && other.spec.imageId === spec.imageId,
    );
  }

  private tellPlace(job: Job, place: number): void {
    if (job.toldPlace === place) return;
    job.toldPlace = place;
    this.options.onEvent(this.toEvent(job.id, { status: 'pending', queuePlace: place }));
  }

  private begin(job: Job): void {
    job.phase = 'running';
    this.lastBegun.set(job.owner, (this.begun += 1));
    this.options.onEvent(this.toEvent(job.id, { status: 'running' }));
    job.finished = this.perform(job)
      .catch((error: unknown) => this.warn(error))
      .finally(() => {
        this.jobs.delete(job.id);
        this.fill();
      });
  }

  private async perform(job: Job): Promise<void> {
    const log = this.options.createLog(job.id);
    const deadline = new Deadline();
    deadline.begin(job.spec.job, job.spec.timeoutMs);
    const signal = AbortSignal.any([job.abort.signal, deadline.signal]);
    let outcome: Partial<JobEvent>;
    try {
      await this.journalBegin(job);
      await this.waitForEngine(job, { log, signal });
      const image = await this.execute(job, { log: (text) => log.append(text), signal }, deadline);
      outcome = { status: 'done', ...image };
    } catch (error) {
      if (this.isStopped) return log.stop();
      outcome = this.describeFailure(job, { error, late: deadline.describe(job.waitsFor) });
      if (outcome.message) log.append(`${outcome.message}\n`);
      await this.drop(job.spec);
    } finally {
      deadline.end();
    }
    await log.flush(LOG_FLUSH_MS);
    await this.close(job.id, job.spec, outcome);
  }

  /** An engine that is away is waited for until the job's own deadline, as workspaces wait for it. */
  private async waitForEngine(job: Job, { log, signal }: { log: JobLog; signal: AbortSignal }): Promise<void> {
    const { engine, clock, onEvent } = this.options;
    const backoff = new Backoff({ ...ENGINE_RETRY, random: () => clock.random() });
    for (;;) {
      try {
        await engine.info();
        break;
      } catch (error) {
        if (!(error instanceof EngineError) || error.kind !== 'unreachable') throw error;
        const words = `${error.message}. The ${job.spec.job} waits for it.`;
        if (job.waitsFor === '') log.append(`${words}\n`);
        if (job.waitsFor !== words) onEvent(this.toEvent(job.id, { message: words }));
        job.waitsFor = words;
      }
      await waitFor(ENGINE_RETRY.firstMs / 2 + backoff.next(), signal);
      signal.throwIfAborted();
    }
    if (job.waitsFor === '') return;
    job.waitsFor = '';
    onEvent(this.toEvent(job.id, { message: '' }));
  }

  private async journalBegin({ id, spec }: Job): Promise<void> {
    try {
      await this.options.journal.begin(id, spec.job);
    } catch (error) {
      throw new Error(`The agent can't write its state folder: ${toMessage(error)}. ${STATE_ADVICE}`, { cause: error });
    }
  }

  private describeFailure(job: Job, { error, late }: { error: unknown; late: string }): Partial<JobEvent> {
    if (job.abort.signal.aborted) return { status: 'cancelled', message: '' };
    return { status: 'error', message: late || toMessage(error) };
  }

  private execute({ id: jobId, spec }: Job, options: JobOptions, deadline: Deadline): Promise<ImageResult> {
    const auths = this.host?.registryAuths ?? [];
    const { engine, hostId, files, sendLock } = this.options;
    return performJob(spec, { engine, hostId, auths, options, jobId, files, deadline, sendLock });
  }

  private async closeCutOff(id: string, spec: JobSpec): Promise<void> {
    await this.close(id, spec, { status: 'error', message: RESTARTED });
    await this.drop(spec);
  }

  private async drop(spec: JobSpec): Promise<void> {
    const { engine, log } = this.options;
    await dropResult(spec, engine).catch((error: unknown) => {
      log.warn({ error: toMessage(error), reference: spec.reference }, 'What a job left could not be removed');
    });
  }

  private async close(id: string, spec: JobSpec, outcome: Partial<JobEvent>): Promise<void> {
    const event = this.toEvent(id, outcome);
    try {
      await this.options.journal.finish(id, spec.job, event);
    } catch (error) {
      this.warn(error);
    }
    this.tellOutcome(event);
  }

  private toEvent(id: string, event: Partial<JobEvent>): JobEvent {
    const empty = { message: '', queuePlace: 0, imageId: '', digest: '', sizeBytes: 0, exposedPorts: [] };
    return { ...empty, status: 'running', ...event, id, at: this.options.clock.now() };
  }

  private warn(error: unknown): void {
    const isEngine = error instanceof EngineError;
    this.options.log.error({ error: toMessage(error), isEngine }, 'The job journal could not be written');
  }
}
