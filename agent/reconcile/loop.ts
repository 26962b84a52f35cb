import type { DesiredKind } from '../../lib/protocol/specs/desired';
import type { HostSpec } from '../../lib/protocol/specs/host';
import type { EngineEvent } from '../engines/engine';
import { toMessage } from '../engines/engine-error';
import { waitFor } from '../wait';
import type { Wanted } from './kind';
import type { LoopOptions } from './loop-options';
import { KindObjects } from './objects';

const EVENT_GATHER_MS = 100;
const WATCH_RETRY_FIRST_MS = 250;
const WATCH_RETRY_LONGEST_MS = 15_000;

/**
 * Brings this host's objects to what is wanted. One pass at a time looks at everything and starts work where it is needed,
 * kind after kind; what fails in one kind holds up no other.
 */
export class ReconcileLoop {
  private readonly kinds: KindObjects<DesiredKind, unknown>[];
  private readonly stopping = new AbortController();
  private isSubscribed = false;
  /** Whether the console has said what it wants. */
  private hasWanted = false;
  private isPassing = false;
  /** Somebody asked for a pass while one was under way. */
  private isPassDue = false;
  private timer: NodeJS.Timeout | undefined;
  private timerAtMs = Infinity;
  private watching: Promise<void> | undefined;

  constructor(private readonly options: LoopOptions) {
    const { kinds, log } = options;
    const requestPass = this.requestPass.bind(this);
    this.kinds = kinds.map((kind) => new KindObjects(kind, { log, requestPass }));
  }

  start(): void {
    this.watching = this.watchEngine();
  }

  /** Lets go of the engine. Work that runs is given up after its current operation, with nothing half-made left. */
  async stop(): Promise<void> {
    this.stopping.abort();
    clearTimeout(this.timer);
    await Promise.all(this.kinds.map((objects) => objects.stop()));
    await this.watching;
  }

  /** Replaces what is wanted and acts on it at once. */
  setDesired(wanted: Wanted, host: HostSpec | null): void {
    for (const objects of this.kinds) objects.setWanted(wanted, host);
    this.hasWanted = true;
    this.requestPass(0);
  }

  /** Looks at everything within the given time. */
  requestPass(delayMs: number): void {
    if (this.stopping.signal.aborted) return;
    const atMs = this.options.clock.now() + delayMs;
    if (atMs >= this.timerAtMs) return;
    clearTimeout(this.timer);
    this.timerAtMs = atMs;
    this.timer = setTimeout(() => void this.pass(), delayMs);
  }

  private async watchEngine(): Promise<void> {
    const { engine, hostId } = this.options;
    const { signal } = this.stopping;
    for (let delayMs = WATCH_RETRY_FIRST_MS; !signal.aborted; delayMs = Math.min(delayMs * 2, WATCH_RETRY_LONGEST_MS)) {
      const onReady = (): void => {
        delayMs = WATCH_RETRY_FIRST_MS;
        this.isSubscribed = true;
        this.requestPass(0);
      };
      const onEvent = this.takeEvent.bind(this);
      const onHanging = (): void => this.tellAnswers();
      try {
        await engine.watch(hostId, { onReady, onEvent, onHanging }, signal);
      } catch (error) {
        this.options.onEngine({ reachable: false, message: toMessage(error) });
        this.options.log.debug({ error: toMessage(error) }, 'The engine is away');
      }
      this.isSubscribed = false;
      await waitFor(delayMs * (0.5 + this.options.clock.random() / 2), signal);
    }
  }

  private tellAnswers(): void {
    this.options.onEngine({ reachable: true, message: this.options.engine.describeHanging() });
  }

  private takeEvent(event: EngineEvent): void {
    this.options.onEvent?.(event);
    for (const objects of this.kinds) objects.takeEvent(event);
    this.requestPass(EVENT_GATHER_MS);
  }

  private async pass(): Promise<void> {
    this.timerAtMs = Infinity;
    if (this.isPassing) {
      this.isPassDue = true;
      return;
    }
    if (!this.isSubscribed) return;
    this.isPassing = true;
    try {
      const looks = await Promise.all(this.kinds.map((objects) => objects.observe()));
      if (looks.includes(true)) this.tellAnswers();
      await this.removeFromTheEnd();
      await this.makeInOrder();
      for (const objects of this.kinds) objects.forgetUnwanted();
      if (this.hasWanted && looks.every(Boolean)) {
        this.options.onUnknown(this.kinds.flatMap((objects) => objects.listUnknown()));
      }
    } finally {
      this.isPassing = false;
      if (this.isPassDue) this.requestPass(0);
      this.isPassDue = false;
    }
  }

  /** What is used goes after what uses it. The end of any work asks for another pass. */
  private async removeFromTheEnd(): Promise<void> {
    for (const objects of this.kinds.toReversed()) {
      await objects.remove();
      if (objects.isRemoving) return;
    }
  }

  private async makeInOrder(): Promise<void> {
    const isInTheMaking = (id: string): boolean => this.kinds.some((objects) => objects.isMaking(id));
    for (const objects of this.kinds) await objects.make(isInTheMaking);
  }
}
