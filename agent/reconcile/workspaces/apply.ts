import type { StepEvent } from '../../../lib/protocol/calls';
import type { RegistryAuthSpec } from '../../../lib/protocol/specs/host';
import type { WorkspaceSpec } from '../../../lib/protocol/specs/workspace';
import type { Engine, ObservedContainer } from '../../engines/engine';
import { EngineError, toMessage } from '../../engines/engine-error';
import { waitFor } from '../../wait';
import type { Slot } from '../kind';
import type { Supplies } from '../resources/supplies';
import { hashSpec } from './compare';
import { quoteLastLines, readLastLines } from './last-lines';
import { prepareImage } from './prepare-image';
import { describeOperation, type Operation, stepKey, type Target } from './operations';
import type { WorkspacePlan } from './plan';
import { describeExit, describeUndecided, describeUnhealthy } from './status';

export interface ApplyContext {
  engine: Engine;
  hostId: string;
  workspaceId: string;
  /** Null while a workspace is removed. */
  spec: WorkspaceSpec | null;
  /** Runtime for a spec that names none; empty for the engine's. */
  defaultRuntime: string;
  auths: RegistryAuthSpec[];
  /** Aborted when something newer is wanted. */
  signal: AbortSignal;
  slot: Slot;
  supplies: Supplies;
  /** Labels of a new container for the host's reverse proxy. Throws in words where its settings don't do. */
  labels(): Record<string, string>;
  /** Has the reverse proxy lead to a container. */
  route(container: ObservedContainer): Promise<void>;
  onCreated(containerId: string): void;
  onStep(step: Pick<StepEvent, 'key' | 'status' | 'message'>): void;
}

/** A proxy looks at its files and labels every two seconds, if it was not told otherwise. */
const PROXY_NEWS_MS = 2500;
const HEALTH_POLL_MS = 200;
/** Many wait at once, and some for minutes. */
const EAGER_MS = 5000;
const HEALTH_POLL_LATER_MS = 1000;

/**
 * Runs a plan's operations in order. When one fails, runs what undoes the plan and throws the failure, with a line on
 * what became of the old container.
 */
export async function applyPlan(plan: WorkspacePlan, context: ApplyContext): Promise<void> {
  const run = new PlanRun(context);
  try {
    for (const operation of plan.operations) {
      context.signal.throwIfAborted();
      await run.step(operation);
    }
  } catch (error) {
    const notes = await run.undo(plan.onFailure);
    if (!(error instanceof EngineError) || notes === '') throw error;
    throw new EngineError(error.kind, `${error.message.replace(/[.\s]+$/, '')}. ${notes}`, { cause: error });
  }
}

class PlanRun {
  private image = '';
  private newContainerId = '';
  /** What is told of the step at its end: what it is, or what came of it. */
  private words = '';
  private readonly stopped = new Set<string>();

  constructor(private readonly context: ApplyContext) {}

  async step(operation: Operation): Promise<void> {
    const key = operation.type === 'wait-up' ? await this.upKey(operation.target) : stepKey(operation);
    const message = describeOperation(operation);
    if (key) this.context.onStep({ key, status: 'running', message });
    this.words = message;
    try {
      await this.perform(operation);
    } catch (error) {
      if (key) this.context.onStep({ key, status: 'failed', message: toMessage(error) });
      throw error;
    }
    if (key) this.context.onStep({ key, status: 'done', message: this.words });
  }

  /** Goes on past failures: what can't be undone now is found by the next look at the engine. */
  async undo(operations: Operation[]): Promise<string> {
    const notes: string[] = [];
    for (const operation of operations) {
      if (this.isNothingToUndo(operation)) continue;
      try {
        await this.step(operation);
        if (operation.type === 'start') notes.push('The previous container was started again.');
      } catch (error) {
        notes.push(`${describeOperation(operation)} failed too: ${toMessage(error)}.`);
      }
    }
    return notes.join(' ');
  }

  /** A container that was not made, or one that was never stopped. */
  private isNothingToUndo(operation: Operation): boolean {
    if (!('target' in operation)) return false;
    const { type, target } = operation;
    if (target === 'new') return this.newContainerId === '';
    return type === 'start' && operation.isRestore && !this.stopped.has(target.containerId);
  }

  private async perform(operation: Operation): Promise<void> {
    const { engine } = this.context;
    switch (operation.type) {
      case 'prepare-image': {
        const prepared = await prepareImage(operation, this.context);
        this.image = prepared.image;
        this.words = prepared.words ?? this.words;
        return;
      }
      case 'create':
        this.newContainerId = await this.create(operation.name);
        this.context.onCreated(this.newContainerId);
        return;
      case 'connect':
        return this.connect(operation);
      case 'start':
        return engine.startContainer(this.resolve(operation.target));
      case 'wait-up':
        return this.context.slot.without(() => this.waitUp(this.resolve(operation.target), operation.settleMs));
      case 'route':
        return this.context.slot.without(() => this.route(this.resolve(operation.target)));
      case 'stop':
        this.stopped.add(operation.containerId);
        return engine.stopContainer(operation.containerId);
      case 'remove':
        return engine.removeContainer(this.resolve(operation.target));
      case 'update':
        return engine.updateContainer(operation.containerId, operation.limits);
    }
  }

  /** There is a health check only where the image or the engine has one. */
  private async upKey(target: Target): Promise<'up' | 'health'> {
    const container = await this.context.engine.inspectContainer(this.resolve(target));
    return container && container.health !== 'none' ? 'health' : 'up';
  }

  private resolve(target: Target): string {
    return target === 'new' ? this.newContainerId : target.containerId;
  }

  private async create(name: string): Promise<string> {
    const { engine, hostId, workspaceId, spec, defaultRuntime, supplies } = this.context;
    if (!spec) throw new EngineError('invalid', 'A workspace that is to go gets no container');
    const runtime = spec.runtime || defaultRuntime;
    const specHash = hashSpec(spec);
    const mounts = await supplies.mountsOf(spec);
    const labels = this.context.labels();
    const made = { name, hostId, workspaceId, specHash, image: this.image, spec, mounts, runtime, labels };
    return engine.createContainer(made);
  }

  private async route(containerId: string): Promise<void> {
    const container = await this.context.engine.inspectContainer(containerId);
    if (!container) return;
    await this.context.route(container);
    await waitFor(PROXY_NEWS_MS, this.context.signal);
  }

  private connect({ target, networks }: Extract<Operation, { type: 'connect' }>): Promise<void> {
    const { engine, hostId, spec } = this.context;
    return engine.connectContainer(this.resolve(target), { hostId, networks, aliases: spec?.aliases ?? [] });
  }

  private async explainEnd(container: ObservedContainer): Promise<EngineError> {
    const quote = quoteLastLines(await readLastLines(this.context.engine, container.containerId));
    const exit = describeExit(container);
    return new EngineError('invalid', quote === '' ? exit : `${exit.replace(/\.$/, '')}.${quote}`);
  }

  private async waitUp(containerId: string, settleMs: number): Promise<void> {
    const sinceMs = performance.now();
    for (;;) {
      const container = await this.context.engine.inspectContainer(containerId);
      if (container && hasEnded(container)) throw await this.explainEnd(container);
      const waitedMs = performance.now() - sinceMs;
      if (isUp(container) && (container.health === 'healthy' || (container.health === 'none' && waitedMs >= settleMs)))
        return;
      if (container && container.health !== 'none' && waitedMs > container.healthPatienceMs) {
        throw new EngineError('invalid', describeUndecided(container));
      }
      await waitFor(waitedMs < EAGER_MS ? HEALTH_POLL_MS : HEALTH_POLL_LATER_MS, this.context.signal);
      this.context.signal.throwIfAborted();
    }
  }
}

/** Throws when the container won't come up any more. */
function isUp(container: ObservedContainer | null): container is ObservedContainer {
  if (!container) throw new EngineError('busy', 'The new container was removed by someone');
  if (container.state === 'running' && container.health === 'unhealthy') {
    throw new EngineError('invalid', describeUnhealthy(container));
  }
  return true;
}

/** A container that is restarting has ended at least once. */
function hasEnded({ state }: ObservedContainer): boolean {
  return state !== 'running' && state !== 'unread';
}
