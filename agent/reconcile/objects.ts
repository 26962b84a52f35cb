import type { UnknownObject } from '../../lib/protocol/calls';
import type { DesiredKind, DesiredSpecs } from '../../lib/protocol/specs/desired';
import type { HostSpec } from '../../lib/protocol/specs/host';
import type { EngineEvent } from '../engines/engine';
import { toMessage } from '../engines/engine-error';
import type { AgentLog } from '../log';
import { waitFor } from '../wait';
import type { Kind, Planned, Wanted } from './kind';
import { Slots } from './slots';

export interface ObjectsOptions {
  log: AgentLog;
  /** Has the loop look at everything within the given time. */
  requestPass(delayMs: number): void;
}

interface Work<Spec> {
  spec: Spec | null;
  abort: AbortController;
  finished: Promise<void>;
}

const PARALLEL_WORK = 8;
const FAILED_LOOK_RETRY_MS = 1000;
/** A pass waits no longer for plans that ask the engine: the rest go on without them. */
const PLAN_PATIENCE_MS = 3000;

/** The objects of one kind: work on one of them is serial, on several it runs side by side. */
export class KindObjects<K extends DesiredKind, Seen> {
  private wanted: ReadonlyMap<string, DesiredSpecs[K] | null> = new Map();
  private readonly working = new Map<string, Work<DesiredSpecs[K]>>();
  /** Plans that are still being made. */
  private readonly planning = new Set<string>();
  private readonly slots = new Slots(PARALLEL_WORK);
  private host: HostSpec | null = null;
  private isStopped = false;
  private seen: ReadonlyMap<string, Seen> | undefined;
  /** What was worked on when the look began, or since: the look shows none of what that work did. */
  private readonly outdated = new Set<string>();

  constructor(
    private readonly kind: Kind<K, Seen>,
    private readonly options: ObjectsOptions,
  ) {}

  /** Whether there is work under way to bring an object to its spec. */
  isMaking(id: string): boolean {
    return Boolean(this.working.get(id)?.spec);
  }

  get isRemoving(): boolean {
    const isGoing = (id: string): boolean => this.wanted.get(id) === null;
    return [...this.working.values()].some(({ spec }) => spec === null) || [...this.planning].some(isGoing);
  }

  /** Replaces what is wanted, and gives up work for what isn't wanted any more. */
  setWanted(wanted: Wanted, host: HostSpec | null): void {
    this.wanted = new Map(wanted.of(this.kind.name));
    this.host = host;
    for (const [id, work] of this.working) {
      const spec = this.wanted.get(id);
      if (spec !== undefined && this.kind.isSuperseded(work.spec, spec)) work.abort.abort();
    }
  }

  takeEvent(event: EngineEvent): void {
    this.kind.takeEvent?.(event, this.wanted);
  }

  /** Looks at what the engine has. False when that failed: nothing is made or removed until the next look. */
  async observe(): Promise<boolean> {
    this.outdated.clear();
    for (const id of this.working.keys()) this.outdated.add(id);
    // A kind that speaks of no strangers has nothing to look for: an engine that hangs at it holds up no other kind.
    if (this.wanted.size === 0 && !this.kind.describeUnknown) {
      this.seen = new Map();
      return true;
    }
    try {
      this.seen = await this.kind.observe();
      return true;
    } catch (error) {
      this.seen = undefined;
      // The watch notices when the engine is away and asks for a pass once it is back.
      this.warn(error, 'Looking at the engine failed');
      return false;
    }
  }

  /** Begins work on what is there to stay, except on what needs an object that is in the making itself. */
  make(isInTheMaking: (id: string) => boolean): Promise<void> {
    return this.handleAll((spec) => spec !== null && !this.kind.needs?.(spec).some(isInTheMaking));
  }

  /** Begins work on what is to go. */
  remove(): Promise<void> {
    return this.handleAll((spec) => spec === null);
  }

  forgetUnwanted(): void {
    if (this.seen && this.wanted.size > 0) this.kind.retain?.(new Set(this.wanted.keys()));
  }

  /** What the last look found that nobody asks for and nothing is being done about. */
  listUnknown(): UnknownObject[] {
    const strangers = [...(this.seen ?? [])].filter(([id]) => !this.wanted.has(id) && !this.working.has(id));
    return strangers.flatMap(([id, seen]) => this.kind.describeUnknown?.(id, seen) ?? []);
  }

  /** Gives work up after its current operation; resolves once it has ended. */
  async stop(): Promise<void> {
    this.isStopped = true;
    const works = [...this.working.values()];
    for (const { abort } of works) abort.abort();
    await Promise.all(works.map(({ finished }) => finished));
  }

  private async handleAll(isMeant: (spec: DesiredSpecs[K] | null) => boolean): Promise<void> {
    const { seen } = this;
    if (!seen) return;
    const isIdle = (id: string): boolean => !this.outdated.has(id) && !this.planning.has(id);
    const idle = [...this.wanted].filter(([id, spec]) => isMeant(spec) && isIdle(id));
    const planned = new AbortController();
    const all = Promise.all(idle.map(([id, spec]) => this.handle(id, spec, seen.get(id)))).then(() => planned.abort());
    await Promise.race([all, waitFor(PLAN_PATIENCE_MS, planned.signal)]);
  }

  private async handle(id: string, spec: DesiredSpecs[K] | null, seen: Seen | undefined): Promise<void> {
    this.planning.add(id);
    try {
      const planned = await this.kind.plan({ id, spec, seen, host: this.host });
      if (this.isStopped) return;
      if (this.working.has(id) || this.wanted.get(id) !== spec) return this.options.requestPass(0);
      planned.report();
      if (planned.apply) this.begin(id, spec, planned);
      else if (planned.lookAgainMs !== undefined) this.options.requestPass(planned.lookAgainMs);
    } catch (error) {
      this.warn(error, 'An object could not be looked at', id);
    } finally {
      this.planning.delete(id);
    }
  }

  private begin(id: string, spec: DesiredSpecs[K] | null, planned: Planned): void {
    const work: Work<DesiredSpecs[K]> = { spec, abort: new AbortController(), finished: Promise.resolve() };
    this.working.set(id, work);
    this.outdated.add(id);
    work.finished = this.run(planned, work.abort.signal)
      .catch((error: unknown) => this.warn(error, 'Work on an object ended in an unforeseen way', id))
      .finally(() => {
        this.working.delete(id);
        this.options.requestPass(0);
      });
  }

  private async run({ apply, onQueued }: Planned, signal: AbortSignal): Promise<void> {
    if (this.slots.isFull) onQueued?.();
    await this.slots.take();
    try {
      await apply?.(signal, { without: (wait) => this.without(wait) });
    } finally {
      this.slots.release();
    }
  }

  private async without<T>(wait: () => Promise<T>): Promise<T> {
    this.slots.release();
    try {
      return await wait();
    } finally {
      await this.slots.take();
    }
  }

  private warn(error: unknown, words: string, id?: string): void {
    this.options.log.warn({ kind: this.kind.name, id, error: toMessage(error) }, words);
    this.options.requestPass(FAILED_LOOK_RETRY_MS);
  }
}
