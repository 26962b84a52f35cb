import type { HostSpec } from '../../lib/protocol/specs/host';
import type { WorkspaceSpec } from '../../lib/protocol/specs/workspace';
import type { EngineEvent, ObservedContainer } from '../engines/engine';
import { toMessage } from '../engines/engine-error';
import { waitFor } from '../wait';
import { ExitWatcher } from './workspaces/exits';
import type { LoopOptions } from './loop-options';
import { forgetPast, type WorkspaceMemory } from './workspaces/memory';
import { findWantedImage, observeContainers } from './workspaces/observe';
import { planWorkspace } from './workspaces/plan';
import { Slots } from './slots';
import { toObservedWorkspace } from './workspaces/status';
import { WorkspaceWork } from './workspaces/work';

const EVENT_GATHER_MS = 100;
const PARALLEL_WORKSPACES = 8;
const FAILED_PASS_RETRY_MS = 1000;
const WATCH_RETRY_FIRST_MS = 250;
const WATCH_RETRY_LONGEST_MS = 15_000;

/**
 * Brings this host's containers to what is wanted. One pass at a time looks at everything and starts work where it is
 * needed; the work of one workspace is serial, that of several runs side by side.
 */
export class ReconcileLoop {
  private readonly desired = new Map<string, WorkspaceSpec | null>();
  private readonly working = new Map<string, WorkspaceWork>();
  private readonly slots = new Slots(PARALLEL_WORKSPACES);
  private readonly exits = new ExitWatcher();
  private readonly stopping = new AbortController();
  private host: HostSpec | null = null;
  private isSubscribed = false;
  private isPassing = false;
  private timer: NodeJS.Timeout | undefined;
  private timerAtMs = Infinity;
  private watching: Promise<void> | undefined;

  constructor(private readonly options: LoopOptions) {}

  start(): void {
    this.watching = this.watchEngine();
  }

  /** Lets go of the engine. Work that runs is given up after its current operation, with nothing half-made left. */
  async stop(): Promise<void> {
    this.stopping.abort();
    clearTimeout(this.timer);
    for (const work of this.working.values()) work.cancel();
    await Promise.all([...this.working.values()].map((work) => work.finished));
    await this.watching;
  }

  /** Replaces what is wanted and acts on it at once. */
  setDesired(workspaces: ReadonlyMap<string, WorkspaceSpec | null>, host: HostSpec | null): void {
    this.host = host;
    this.desired.clear();
    for (const [id, spec] of workspaces) {
      this.desired.set(id, spec);
      if (this.working.get(id)?.isSuperseded(spec)) this.working.get(id)?.cancel();
    }
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
      try {
        await engine.watch(hostId, { onReady, onEvent: (event) => this.takeEvent(event) }, signal);
      } catch (error) {
        this.options.onEngine({ reachable: false, message: toMessage(error) });
        this.options.log.debug({ error: toMessage(error) }, 'The engine is away');
      }
      this.isSubscribed = false;
      await waitFor(delayMs * (0.5 + this.options.clock.random() / 2), signal);
    }
  }

  private takeEvent(event: EngineEvent): void {
    const exit = this.exits.take(event);
    const spec = this.desired.get(event.workspaceId);
    if (exit && spec?.state === 'running' && !spec.autoStart) {
      const { generation, attempt } = spec;
      const memory = this.options.memory.get(event.workspaceId);
      this.options.memory.set(event.workspaceId, { ...memory, exit: { ...exit, generation, attempt } });
    }
    this.requestPass(EVENT_GATHER_MS);
  }

  private async pass(): Promise<void> {
    this.timerAtMs = Infinity;
    if (this.isPassing) return this.requestPass(1);
    if (!this.isSubscribed) return;
    this.isPassing = true;
    try {
      const byWorkspace = await observeContainers(this.options.engine, this.options.hostId);
      this.options.onEngine({ reachable: true, message: '' });
      const idle = [...this.desired].filter(([id]) => !this.working.has(id));
      await Promise.all(idle.map(([id, spec]) => this.handleWorkspace(id, spec, byWorkspace.get(id) ?? [])));
      this.forgetRemoved();
    } catch (error) {
      // The watch notices when the engine is away and asks for a pass once it is back.
      this.options.log.warn({ error: toMessage(error) }, 'Looking at the engine failed');
      this.requestPass(FAILED_PASS_RETRY_MS);
    } finally {
      this.isPassing = false;
    }
  }

  private async handleWorkspace(
    id: string,
    spec: WorkspaceSpec | null,
    containers: ObservedContainer[],
  ): Promise<void> {
    const { engine, memory: store, clock } = this.options;
    const memory = this.refreshMemory(id, spec, containers);
    const wantedImageId = spec ? await findWantedImage(engine, spec, memory) : '';
    const waitMs = (memory.failure?.retryAtMs ?? 0) - clock.now();
    const plan = planWorkspace({ workspaceId: id, spec, containers, wantedImageId, memory, isWaiting: waitMs > 0 });
    if (this.working.has(id) || this.desired.get(id) !== spec) return this.requestPass(0);
    this.options.onObject(toObservedWorkspace({ workspaceId: id, spec, state: plan.state, memory }));
    if (plan.operations.length > 0) return this.beginWork(new WorkspaceWork({ id, spec, plan, memory: store.get(id) }));
    if (memory.failure && !memory.failure.isFinal && waitMs > 0) this.requestPass(waitMs);
    if (spec && plan.state.status !== 'error') this.settle(id, spec, plan.state.container);
  }

  /** Drops what belongs to an earlier generation or attempt, and adds what the containers tell. */
  private refreshMemory(id: string, spec: WorkspaceSpec | null, containers: ObservedContainer[]): WorkspaceMemory {
    const memory = forgetPast(this.options.memory.get(id), spec ?? { generation: 0, attempt: 0 });
    const exited = containers.find((container) => container.containerId === memory.exit?.containerId);
    const exit = memory.exit && exited?.outOfMemory ? { ...memory.exit, outOfMemory: true } : memory.exit;
    const fresh = { ...memory, exit };
    this.options.memory.set(id, fresh);
    return fresh;
  }

  private settle(id: string, spec: WorkspaceSpec, container: ObservedContainer | undefined): void {
    const memory = this.options.memory.get(id);
    const healthyContainerId = container?.health === 'healthy' ? container.containerId : memory.healthyContainerId;
    const isUp = container?.state === 'running';
    const settledGeneration = isUp && spec.state === 'running' ? spec.generation : memory.settledGeneration;
    this.options.memory.set(id, { ...memory, healthyContainerId, settledGeneration });
  }

  private beginWork(work: WorkspaceWork): void {
    this.working.set(work.id, work);
    void work.run({ ...this.options, slots: this.slots, host: this.host }).finally(() => {
      this.working.delete(work.id);
      this.requestPass(0);
    });
  }

  private forgetRemoved(): void {
    for (const id of this.options.memory.ids()) {
      if (this.desired.size > 0 && !this.desired.has(id)) this.options.memory.forget(id);
    }
  }
}
