import type { StepEvent } from '../../../lib/protocol/calls';
import type { ContainerLimits } from '../../engines/engine';

/** `new` is the container that the plan's own `create` makes. */
export type Target = { containerId: string } | 'new';

export type Operation =
  /** `replacedImageId` is the image of what runs until then; empty where nothing does. */
  | { type: 'prepare-image'; reference: string; imageId: string; pull: boolean; replacedImageId: string }
  | { type: 'create'; name: string }
  | { type: 'connect'; target: Target; networks: string[] }
  | { type: 'start'; target: Target; isRestore: boolean }
  /** Waits until it is healthy, or has stayed up for `settleMs` where the image has no health check. */
  | { type: 'wait-up'; target: Target; settleMs: number }
  /** Has the reverse proxy lead to it, and lets it get the news. */
  | { type: 'route'; target: Target }
  | { type: 'stop'; containerId: string }
  | { type: 'remove'; target: Target }
  | { type: 'update'; containerId: string; limits: ContainerLimits };

/** The step of the deployment's timeline that an operation belongs to; null for those that are not shown. */
export function stepKey(operation: Operation): StepEvent['key'] | null {
  switch (operation.type) {
    case 'prepare-image':
      return 'image';
    case 'create':
    case 'connect':
    case 'update':
      return 'create';
    case 'start':
      return operation.isRestore ? 'restore' : 'start';
    case 'wait-up':
    case 'route':
      return 'up';
    case 'stop':
      return 'stop';
    case 'remove':
      return 'remove';
  }
}

/** What the log and the timeline say. */
export function describeOperation(operation: Operation): string {
  switch (operation.type) {
    case 'prepare-image':
      return `Find the image ${operation.reference}`;
    case 'create':
      return `Create the container ${operation.name}`;
    case 'connect':
      return `Put ${describeTarget(operation.target)} on its networks`;
    case 'start':
      if (operation.isRestore) return `Put ${describeTarget(operation.target)} back`;
      return `Start ${describeTarget(operation.target)}`;
    case 'wait-up':
      return `Wait until ${describeTarget(operation.target)} is up`;
    case 'route':
      return `Lead its addresses to ${describeTarget(operation.target)}`;
    case 'stop':
      return `Stop the container ${shortId(operation.containerId)}`;
    case 'remove':
      return `Remove ${describeTarget(operation.target)}`;
    case 'update':
      return `Change the limits of the container ${shortId(operation.containerId)}`;
  }
}

function describeTarget(target: Target): string {
  return target === 'new' ? 'the new container' : `the container ${shortId(target.containerId)}`;
}

function shortId(containerId: string): string {
  return containerId.slice(0, 12);
}
