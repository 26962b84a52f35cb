import type { WorkspaceSpec } from '../../../lib/protocol/specs/workspace';
import type { Engine, ObservedContainer } from '../../engines/engine';
import type { WorkspaceMemory } from './memory';

/** This host's containers by workspace. */
export async function observeContainers(engine: Engine, hostId: string): Promise<Map<string, ObservedContainer[]>> {
  const byWorkspace = new Map<string, ObservedContainer[]>();
  for (const container of await engine.observe(hostId)) {
    const held = byWorkspace.get(container.workspaceId);
    if (held) held.push(container);
    else byWorkspace.set(container.workspaceId, [container]);
  }
  return byWorkspace;
}

/**
 * The engine id of the image that a spec wants. A spec without one takes what its reference points to, looked up once a
 * generation: an image that is tagged anew later restarts nothing until somebody deploys.
 */
export async function findWantedImage(engine: Engine, spec: WorkspaceSpec, memory: WorkspaceMemory): Promise<string> {
  if (spec.image.id !== '') return spec.image.id;
  if (spec.state === 'stopped' || memory.settledGeneration === spec.generation) return '';
  return (await engine.findImage(spec.image.tag ?? spec.image.reference)) ?? '';
}
