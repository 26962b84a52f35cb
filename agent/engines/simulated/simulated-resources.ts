import type { ContainerRequest, EngineResources, ResourceName } from '../engine';
import { EngineError } from '../engine-error';

interface Parts {
  /** What was done, in words, oldest first. */
  calls: string[];
  isUsed(id: string): boolean;
  /** Takes its time, and fails where that was asked for. */
  simulate(): Promise<void>;
}

/** Volumes or networks of the simulated engine. */
export class SimulatedResources implements EngineResources {
  private readonly held = new Set<string>();

  constructor(
    private readonly kind: 'volume' | 'network',
    private readonly parts: Parts,
  ) {}

  async list(hostId: string): Promise<string[]> {
    await this.parts.simulate();
    return [...this.held].filter((key) => key.startsWith(`${hostId} `)).map((key) => key.slice(hostId.length + 1));
  }

  async create(resource: ResourceName): Promise<void> {
    await this.parts.simulate();
    this.parts.calls.push(`create ${this.kind} ${resource.id}`);
    this.held.add(keyOf(resource));
  }

  async remove(resource: ResourceName): Promise<void> {
    await this.parts.simulate();
    if (this.parts.isUsed(resource.id)) throw new EngineError('conflict', `The ${this.kind} is in use by a container`);
    if (this.held.delete(keyOf(resource))) this.parts.calls.push(`remove ${this.kind} ${resource.id}`);
  }

  /** Throws as the engine does when a container asks for what is not there. */
  require(resource: ResourceName): void {
    if (!this.held.has(keyOf(resource))) throw new EngineError('not-found', `No such ${this.kind}: ${resource.id}`);
  }
}

/** Throws as the engine does when a container asks for a volume or a network that is not there. */
export function requireResources(
  { hostId, mounts, spec }: ContainerRequest,
  engine: { volumes: SimulatedResources; networks: SimulatedResources },
): void {
  for (const mount of mounts) if ('volumeId' in mount) engine.volumes.require({ hostId, id: mount.volumeId });
  for (const id of spec.networks) engine.networks.require({ hostId, id });
}

function keyOf({ hostId, id }: ResourceName): string {
  return `${hostId} ${id}`;
}
