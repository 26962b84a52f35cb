import type { ObservedWorkspace } from '../../../lib/protocol/calls';
import type { WorkspaceSpec } from '../../../lib/protocol/specs/workspace';
import type { ObservedContainer } from '../../engines/engine';
import type { WorkspaceMemory } from './memory';

/** What is seen of a workspace at one moment. */
export interface SeenState {
  status: ObservedWorkspace['status'];
  message: string;
  container?: ObservedContainer | undefined;
}

/** How a container that is up looks to the user. */
export function describeContainer(container: ObservedContainer, memory: WorkspaceMemory): SeenState {
  const { state, health } = container;
  if (memory.crash?.containerId === container.containerId) {
    return { status: 'error', message: memory.crash.message, container };
  }
  if (state === 'paused') return { status: 'starting', message: '', container };
  if (state === 'restarting') {
    return { status: 'starting', message: `Restarting after: ${describeExit(container)}`, container };
  }
  if (health === 'none' || health === 'healthy') return { status: 'running', message: '', container };
  const message = health === 'unhealthy' ? describeUnhealthy(container) : '';
  if (memory.healthyContainerId === container.containerId) return { status: 'running', message, container };
  return { status: health === 'unhealthy' ? 'error' : 'starting', message, container };
}

export function describeUnhealthy({ healthMessage }: ObservedContainer): string {
  const words = healthMessage ? `: ${healthMessage.slice(0, 500)}` : '';
  return `The container runs, but its health check fails${words}`;
}

export function describeUndecided({ healthPatienceMs }: ObservedContainer): string {
  const seconds = Math.round(healthPatienceMs / 1000);
  return `The health check said neither yes nor no within ${seconds} s. Check what it runs, and its interval.`;
}

export function describeExit({ exitCode, outOfMemory }: { exitCode: number; outOfMemory: boolean }): string {
  if (outOfMemory) return `Exited with code ${exitCode}. It ran out of memory; raise its memory limit.`;
  return `Exited with code ${exitCode}`;
}

export interface ReportInput {
  workspaceId: string;
  spec: WorkspaceSpec | null;
  state: SeenState;
  memory: WorkspaceMemory;
}

/** The observed object that goes to the console. A workspace that is to go has no generation of its own any more. */
export function toObservedWorkspace({ workspaceId, spec, state, memory }: ReportInput): ObservedWorkspace {
  const { container, status } = state;
  const isDown = container !== undefined && (container.state === 'exited' || container.state === 'dead');
  const crash = ofContainer(memory.crash, container);
  const exit = ofContainer(memory.exit, container);
  return {
    kind: 'workspace',
    id: workspaceId,
    generation: spec?.generation ?? container?.generation ?? 0,
    attempt: spec?.attempt ?? 0,
    status,
    message: state.message,
    containerId: container?.containerId ?? '',
    imageId: container?.imageId ?? '',
    exitCode: isDown ? container.exitCode : (crash?.exitCode ?? null),
    restarts: container?.restarts ?? 0,
    lastLines: crash?.lastLines ?? exit?.lastLines ?? [],
    madeGeneration: container?.generation ?? 0,
    retries: memory.failure?.retries ?? 0,
    ports: container?.ports ?? [],
  };
}

function ofContainer<T extends { containerId: string }>(
  remembered: T | null,
  container: ObservedContainer | undefined,
): T | undefined {
  return remembered && remembered.containerId === container?.containerId ? remembered : undefined;
}
