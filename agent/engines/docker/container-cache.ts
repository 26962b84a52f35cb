import type Docker from 'dockerode';
import { labels } from '../../../lib/protocol/specs/desired';
import type { ObservedContainer } from '../engine';
import { ask } from './docker-client';
import { readContainer } from './containers';

const PARALLEL_INSPECTS = 8;

/**
 * What is known of each container. Listing is one call; details are read only of containers that are new, that changed
 * state, or of which an event told.
 */
export class ContainerCache {
  private readonly known = new Map<string, { container: ObservedContainer; summary: string }>();

  constructor(private readonly docker: Docker) {}

  forget(containerId: string): void {
    this.known.delete(containerId);
  }

  forgetAll(): void {
    this.known.clear();
  }

  async list(hostId: string): Promise<ObservedContainer[]> {
    const filters = { label: [`${labels.host}=${hostId}`, `${labels.kind}=workspace`] };
    const listed = await ask(() => this.docker.listContainers({ all: true, filters }));
    const ids = new Set(listed.map((entry) => entry.Id));
    for (const id of this.known.keys()) if (!ids.has(id)) this.known.delete(id);
    const waiting = [...listed];
    const found: ObservedContainer[] = [];
    const work = async (): Promise<void> => {
      for (let entry = waiting.shift(); entry; entry = waiting.shift()) {
        const container = await this.read(entry);
        if (container) found.push(container);
      }
    };
    await Promise.all(Array.from({ length: PARALLEL_INSPECTS }, work));
    return found;
  }

  private async read(entry: Docker.ContainerInfo): Promise<ObservedContainer | null> {
    const health = /\((healthy|unhealthy|health: starting)\)/.exec(entry.Status)?.[1] ?? '';
    const summary = `${entry.State} ${health} ${JSON.stringify(entry.Names)}`;
    const known = this.known.get(entry.Id);
    if (known && known.summary === summary) return known.container;
    const container = await readContainer(this.docker, entry.Id);
    if (container) this.known.set(entry.Id, { container, summary });
    return container;
  }
}
