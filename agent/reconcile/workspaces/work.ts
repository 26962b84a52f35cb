import type { ObservedWorkspace, StepEvent } from '../../../lib/protocol/calls';
import type { HostSpec } from '../../../lib/protocol/specs/host';
import type { WorkspaceSpec } from '../../../lib/protocol/specs/workspace';
import type { AgentClock } from '../../clock';
import type { Engine } from '../../engines/engine';
import { EngineError, toMessage } from '../../engines/engine-error';
import type { AgentLog } from '../../log';
import type { Routing } from '../../routes/routing';
import type { Slot } from '../kind';
import type { Supplies } from '../resources/supplies';
import { applyPlan } from './apply';
import { retryDelayMs } from '../retry-delay';
import type { WorkspaceMemory } from './memory';
import type { WorkspacePlan } from './plan';
import { addOwnId } from './own';
import type { MemoryStore } from './memory-store';
import { toObservedWorkspace } from './status';

export interface WorkspaceOptions {
  engine: Engine;
  hostId: string;
  log: AgentLog;
  clock: AgentClock;
  memory: MemoryStore;
  supplies: Supplies;
  routing: Routing;
  onObject(object: ObservedWorkspace): void;
  onStep(step: StepEvent): void;
}

interface WorkRequest extends WorkspaceOptions {
  id: string;
  spec: WorkspaceSpec | null;
  plan: WorkspacePlan;
  host: HostSpec | null;
}

/** One plan of one workspace being carried out. */
export class WorkspaceWork {
  constructor(private readonly request: WorkRequest) {}

  /** Never rejects: what failed is remembered with the time to try again. Ends early when the signal aborts. */
  async run(signal: AbortSignal, slot: Slot): Promise<void> {
    try {
      await this.apply(signal, slot);
      this.remember({ failure: null });
    } catch (error) {
      if (!signal.aborted) this.rememberFailure(error);
    }
  }

  tellQueued(): void {
    this.tellStep({ key: 'queued', status: 'running', message: 'Waiting for other workspaces' });
  }

  private apply(signal: AbortSignal, slot: Slot): Promise<void> {
    const { engine, hostId, id, spec, plan, host, supplies, routing } = this.request;
    const defaultRuntime = (spec?.gpus ? host?.defaultGpuRuntime : host?.defaultRuntime) ?? '';
    return applyPlan(plan, {
      engine,
      hostId,
      workspaceId: id,
      spec,
      defaultRuntime,
      auths: host?.registryAuths ?? [],
      signal,
      slot,
      supplies,
      labels: () => routing.labelsOf({ id, spec, host }),
      route: (container) => routing.switchTo({ id, spec, host, container }),
      onCreated: (containerId) => this.remember({ ownIds: addOwnId(this.memory, containerId) }),
      onStep: (step) => this.tellStep(step),
    });
  }

  private tellStep(step: Pick<StepEvent, 'key' | 'status' | 'message'>): void {
    const { id, spec, plan, clock, onStep, onObject } = this.request;
    const { generation, attempt } = spec ?? { generation: 0, attempt: 0 };
    onStep({ workspaceId: id, generation, attempt, ...step, at: clock.now() });
    const isStarting = ['start', 'up', 'health'].includes(step.key) && step.status === 'running';
    if (!isStarting || plan.state.status === 'running') return;
    const state = { ...plan.state, status: 'starting' as const };
    onObject(toObservedWorkspace({ workspaceId: id, spec, state, memory: this.memory }));
  }

  private get memory(): WorkspaceMemory {
    return this.request.memory.get(this.request.id);
  }

  private remember(change: Partial<WorkspaceMemory>): void {
    this.request.memory.set(this.request.id, { ...this.memory, ...change });
  }

  private rememberFailure(error: unknown): void {
    const { id, spec, clock, log } = this.request;
    const message = toMessage(error);
    const isTransient = error instanceof EngineError ? error.isTransient || error.kind === 'failed' : true;
    const isFinal = spec !== null && !isTransient;
    const retries = (this.memory.failure?.retries ?? 0) + 1;
    const retryAtMs = clock.now() + retryDelayMs(retries - 1, () => clock.random());
    const { generation, attempt } = spec ?? { generation: 0, attempt: 0 };
    const count = isFinal ? retries - 1 : retries;
    log.warn({ workspaceId: id, retries: count, error: message }, 'A workspace could not be brought up');
    this.remember({ failure: { generation, attempt, message, isFinal, retries: count, retryAtMs } });
  }
}
