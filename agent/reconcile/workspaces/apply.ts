import type { StepEvent } from '../../../lib/protocol/calls';
import type { RegistryAuthSpec } from '../../../lib/protocol/specs/host';
import type { WorkspaceSpec } from '../../../lib/protocol/specs/workspace';
import type { Engine, ObservedContainer } from '../../engines/engine';
import { EngineError, toMessage } from '../../engines/engine-error';
import { waitFor } from '../../wait';
import type { Slot } from '../kind';
import { hashSpec } from './compare';
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
  onCreated(containerId: string): void;
  onStep(step: Pick<StepEvent, 'key' | 'status' | 'message'>): void;
}

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

  constructor(private readonly context: ApplyContext) {}

  async step(operation: Operation): Promise<void> {
    const key = stepKey(operation);
    const message = describeOperation(operation);
    if (key) this.context.onStep({ key, status: 'running', message });
    try {
      await this.perform(operation);
    } catch (error) {
      if (key) this.context.onStep({ key, status: 'failed', message: toMessage(error) });
      throw error;
    }
    if (key) this.context.onStep({ key, status: 'done', message });
  }

  /** Goes on past failures: what can't be undone now is found by the next look at the engine. */
  async undo(operations: Operation[]): Promise<string> {
    const notes: string[] = [];
    for (const operation of operations) {
      if ('target' in operation && operation.target === 'new' && this.newContainerId === '') continue;
      try {
        await this.step(operation);
        if (operation.type === 'start') notes.push('The previous container was started again.');
      } catch (error) {
        notes.push(`${describeOperation(operation)} failed too: ${toMessage(error)}.`);
      }
    }
    return notes.join(' ');
  }

  private async perform(operation: Operation): Promise<void> {
    const { engine } = this.context;
    switch (operation.type) {
      case 'prepare-image':
        this.image = await this.prepareImage(operation);
        return;
      case 'create':
        this.newContainerId = await this.create(operation.name);
        this.context.onCreated(this.newContainerId);
        return;
      case 'start':
        return engine.startContainer(this.resolve(operation.target));
      case 'wait-up':
        return this.context.slot.without(() => this.waitUp(this.resolve(operation.target), operation.settleMs));
      case 'stop':
        return engine.stopContainer(operation.containerId);
      case 'remove':
        return engine.removeContainer(this.resolve(operation.target));
      case 'update':
        return engine.updateContainer(operation.containerId, operation.limits);
    }
  }

  private resolve(target: Target): string {
    return target === 'new' ? this.newContainerId : target.containerId;
  }

  private create(name: string): Promise<string> {
    const { engine, hostId, workspaceId, spec, defaultRuntime } = this.context;
    if (!spec) throw new EngineError('invalid', 'A workspace that is to go gets no container');
    const runtime = spec.runtime || defaultRuntime;
    const specHash = hashSpec(spec);
    return engine.createContainer({ name, hostId, workspaceId, specHash, image: this.image, spec, runtime });
  }

  private async prepareImage(wanted: Extract<Operation, { type: 'prepare-image' }>): Promise<string> {
    const { engine } = this.context;
    const { reference, imageId, pull } = wanted;
    const found = await engine.findImage(reference);
    if (found && (imageId === '' || found === imageId)) return reference;
    if (imageId !== '' && (await engine.findImage(imageId))) return imageId;
    if (!pull) {
      const what = found ? 'The wanted build of the image' : 'The image';
      throw new EngineError('not-found', `${what} ${reference} is not on this host. Build it again.`);
    }
    await this.pull(reference);
    if (imageId !== '' && (await engine.findImage(imageId)) === null) {
      throw new EngineError(
        'not-found',
        `The registry's ${reference} is not the image that was asked for. Pull it again.`,
      );
    }
    return imageId === '' ? reference : imageId;
  }

  private async pull(reference: string): Promise<void> {
    const { engine, auths, signal, spec } = this.context;
    const timeoutMs = spec?.pullTimeoutMs ?? 0;
    const deadline = timeoutMs > 0 ? AbortSignal.timeout(timeoutMs) : new AbortController().signal;
    const log = (text: string): void => this.context.onStep({ key: 'image', status: 'running', message: text.trim() });
    try {
      await engine.pull(reference, auths, { log, signal: AbortSignal.any([signal, deadline]) });
    } catch (error) {
      if (!deadline.aborted || signal.aborted) throw error;
      const words = `The pull of ${reference} took longer than ${Math.round(timeoutMs / 1000)} s`;
      throw new EngineError('busy', words, { cause: error });
    }
  }

  private async waitUp(containerId: string, settleMs: number): Promise<void> {
    const sinceMs = performance.now();
    for (;;) {
      const container = await this.context.engine.inspectContainer(containerId);
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
  if (container.state === 'running') return true;
  throw new EngineError('invalid', describeExit(container));
}
