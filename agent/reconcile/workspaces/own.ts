import type { ObservedContainer } from '../../engines/engine';
import type { WorkspaceMemory } from './memory';

const REMEMBERED = 8;

export interface OwnAndTwins {
  own: ObservedContainer[];
  /** Made by somebody else with this workspace's labels. */
  twins: ObservedContainer[];
}

/** Whether it bears the name that the agent gives: see `pickName`. */
export function hasOwnName({ name, workspaceId, generation }: ObservedContainer): boolean {
  return name.startsWith('berth-') && new RegExp(`-${workspaceId}-${generation}(-\\d+)?$`).test(name);
}

/**
 * Tells the containers that the agent made from those that only look so. Where it remembers none and none bears a name of
 * its own, whatever has the labels counts: better adopted than made twice.
 */
export function splitOwn(containers: ObservedContainer[], { ownIds }: WorkspaceMemory): OwnAndTwins {
  const isOwn = (container: ObservedContainer): boolean =>
    ownIds.includes(container.containerId) || hasOwnName(container);
  const own = containers.filter(isOwn);
  if (own.length === 0 && ownIds.length === 0) return { own: containers, twins: [] };
  return { own, twins: containers.filter((container) => !isOwn(container)) };
}

export function addOwnId({ ownIds }: WorkspaceMemory, containerId: string): string[] {
  if (containerId === '' || ownIds.includes(containerId)) return ownIds;
  return [...ownIds, containerId].slice(-REMEMBERED);
}

export function describeTwins(twins: ObservedContainer[]): string {
  if (twins.length === 0) return '';
  const names = twins.map(({ name, containerId }) => `${name} (${containerId.slice(0, 12)})`).join(', ');
  return `Left alone, since Berth did not make it though it carries this workspace's labels: ${names}. Remove it.`;
}
