import type { StepEvent } from '../../../lib/protocol/calls';
import type { HostSpec } from '../../../lib/protocol/specs/host';
import type { WorkspaceSpec } from '../../../lib/protocol/specs/workspace';
import { EngineError, toMessage } from '../../engines/engine-error';
import { applyPlan } from './apply';
import type { LoopOptions } from '../loop-options';
import { retryDelayMs, type WorkspaceMemory } from './memory';
import type { WorkspacePlan } from './plan';
import type { Slots } from '../slots';
import { toObservedWorkspace } from './status';

export interface WorkContext extends LoopOptions {
  slots: Slots;
  host: HostSpec | null;
}

interface WorkRequest {
  id: string;
  spec: WorkspaceSpec | null;
  plan: WorkspacePlan;
  memory: WorkspaceMemory;
}

/** One plan of one workspace being carried out. */
export class WorkspaceWork {
  readonly id: string;
  /** Never rejects. */
  finished: Promise<void> = Promise.resolve();
  private readonly spec: WorkspaceSpec | null;
  private readonly plan: WorkspacePlan;
  private readonly memory: WorkspaceMemory;
  private readonly abort = new AbortController();

  constructor({ id, spec, plan, memory }: WorkRequest) {
    this.id = id;
    this.spec = spec;
    this.plan = plan;
    this.memory = memory;
  }

  /** Whether the work is for something that isn't wanted any more. */
  isSuperseded(spec: WorkspaceSpec | null): boolean {
    return keyOf(spec) !== keyOf(this.spec);
  }

  cancel(): void {
    this.abort.abort();
  }

  run(context: WorkContext): Promise<void> {
    this.finished = this.perform(context);
    return this.finished;
  }

  private async perform(context: WorkContext): Promise<void> {
    if (context.slots.isFull)
      this.tellStep(context, { key: 'queued', status: 'running', message: 'Waiting for other workspaces' });
    await context.slots.take();
    try {
      await this.apply(context);
      this.remember(context, { failure: null });
    } catch (error) {
      if (!this.abort.signal.aborted) this.rememberFailure(context, error);
    } finally {
      context.slots.release();
    }
  }

  private apply(context: WorkContext): Promise<void> {
    const { spec, host } = { spec: this.spec, host: context.host };
    const defaultRuntime = (spec?.gpus ? host?.defaultGpuRuntime : host?.defaultRuntime) ?? '';
    return applyPlan(this.plan, {
      engine: context.engine,
      hostId: context.hostId,
      workspaceId: this.id,
      spec,
      defaultRuntime,
      auths: host?.registryAuths ?? [],
      signal: this.abort.signal,
      onStep: (step) => this.tellStep(context, step),
    });
  }

  private tellStep(context: WorkContext, step: Pick<StepEvent, 'key' | 'status' | 'message'>): void {
    const { generation, attempt } = this.spec ?? { generation: 0, attempt: 0 };
    context.onStep({ workspaceId: this.id, generation, attempt, ...step, at: context.clock.now() });
    const isStarting = (step.key === 'start' || step.key === 'health') && step.status === 'running';
    if (!isStarting || this.plan.state.status === 'running') return;
    const state = { ...this.plan.state, status: 'starting' as const };
    context.onObject(toObservedWorkspace({ workspaceId: this.id, spec: this.spec, state, memory: this.memory }));
  }

  private remember(context: WorkContext, change: Partial<WorkspaceMemory>): void {
    context.memory.set(this.id, { ...context.memory.get(this.id), ...change });
  }

  private rememberFailure(context: WorkContext, error: unknown): void {
    const message = toMessage(error);
    const isTransient = error instanceof EngineError ? error.isTransient || error.kind === 'failed' : true;
    const isFinal = this.spec !== null && !isTransient;
    const retries = (this.memory.failure?.retries ?? 0) + 1;
    const retryAtMs = context.clock.now() + retryDelayMs(retries - 1, () => context.clock.random());
    const { generation, attempt } = this.spec ?? { generation: 0, attempt: 0 };
    const count = isFinal ? retries - 1 : retries;
    context.log.warn({ workspaceId: this.id, retries: count, error: message }, 'A workspace could not be brought up');
    this.remember(context, { failure: { generation, attempt, message, isFinal, retries: count, retryAtMs } });
  }
}

function keyOf(spec: WorkspaceSpec | null): string {
  return spec ? `${spec.generation} ${spec.attempt} ${spec.state}` : 'gone';
}
