import type Docker from 'dockerode';
import { labels } from '../../../lib/protocol/specs/desired';
import type { EngineResources, ResourceName } from '../engine';
import { EngineError } from '../engine-error';
import { type Bridges, isOurs } from './bridges';
import { ask } from './docker-client';

/** By the record's id and never by what a person typed. An owner's network of workspaces is called differently. */
export function nameResource(kind: 'volume' | 'network', { hostId, id }: ResourceName): string {
  return `berth-${kind}-${hostId}-${id}`;
}

/** The id of the record that a network was made for; undefined for others. */
export function networkIdOf(name: string, hostId: string): string | undefined {
  const start = nameResource('network', { hostId, id: '' });
  return name.startsWith(start) ? name.slice(start.length) : undefined;
}

interface Found {
  Name: string;
  Labels?: Record<string, string> | null | undefined;
}

/** What carries our labels under another name is somebody else's. */
function idsOf(kind: 'volume' | 'network', hostId: string, found: readonly Found[]): string[] {
  return found.flatMap(({ Name, Labels }) => {
    const id = Labels?.[labels.id] ?? '';
    return Name === nameResource(kind, { hostId, id }) ? [id] : [];
  });
}

const filterOf = (kind: string, hostId: string) => ({
  label: [`${labels.host}=${hostId}`, `${labels.kind}=${kind}`],
});

export class DockerVolumes implements EngineResources {
  constructor(
    private readonly docker: Docker,
    /** Ends what looks into a volume that is about to go. */
    private readonly release: (resource: ResourceName) => Promise<void>,
  ) {}

  async list(hostId: string): Promise<string[]> {
    const filters = filterOf('volume', hostId);
    const { Volumes } = await ask(() => this.docker.listVolumes({ filters }));
    return idsOf('volume', hostId, Volumes ?? []);
  }

  /** The engine answers with what is there when the name is taken. */
  async create({ hostId, id }: ResourceName): Promise<void> {
    const Labels = { [labels.host]: hostId, [labels.kind]: 'volume', [labels.id]: id };
    const Name = nameResource('volume', { hostId, id });
    await ask(() => this.docker.createVolume({ Name, Driver: 'local', Labels }));
    await this.requireOurs({ hostId, id });
  }

  async remove(resource: ResourceName): Promise<void> {
    try {
      await this.requireOurs(resource);
      await this.release(resource);
      await ask(() => this.docker.getVolume(nameResource('volume', resource)).remove());
    } catch (error) {
      if (!(error instanceof EngineError) || error.kind !== 'not-found') throw error;
    }
  }

  /** For a container: the engine would make a volume of its own where there is none. */
  async requireThere(resource: ResourceName): Promise<void> {
    try {
      await this.requireOurs(resource);
    } catch (error) {
      if (!(error instanceof EngineError) || error.kind !== 'not-found') throw error;
      throw new EngineError('busy', 'The volume was removed on the host. It is being made anew.');
    }
  }

  private async requireOurs({ hostId, id }: ResourceName): Promise<void> {
    const name = nameResource('volume', { hostId, id });
    const found = await ask(() => this.docker.getVolume(name).inspect());
    if (isOurs(found, { kind: 'volume', hostId })) return;
    throw new EngineError('conflict', `The engine has a volume ${name} that is not ours. Remove or copy it.`);
  }
}

export class DockerNetworks implements EngineResources {
  constructor(
    private readonly docker: Docker,
    private readonly bridges: Bridges,
  ) {}

  async list(hostId: string): Promise<string[]> {
    const filters = filterOf('network', hostId);
    return idsOf('network', hostId, await ask(() => this.docker.listNetworks({ filters })));
  }

  create(resource: ResourceName): Promise<void> {
    return this.bridges.ensure({ name: nameResource('network', resource), kind: 'network', ...resource });
  }

  async remove(resource: ResourceName): Promise<void> {
    const found = await this.bridges.find(nameResource('network', resource));
    if (found && isOurs(found, { kind: 'network', hostId: resource.hostId })) await this.bridges.remove(found.Id);
  }
}
