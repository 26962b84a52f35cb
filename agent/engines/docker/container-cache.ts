import type Docker from 'dockerode';
import { labels } from '../../../lib/protocol/specs/desired';
import type { ObservedContainer } from '../engine';
import { ask } from './docker-client';
import { waitFor } from '../../wait';
import { readContainer, toUnread } from './containers';

const PARALLEL_INSPECTS = 8;

interface Reading {
  answer: Promise<ObservedContainer | null>;
  ended: AbortController;
  isLate: boolean;
  /** The container changed meanwhile. */
  isOutdated: boolean;
}

/**
 * What is known of each container. Listing is one call; details are read only of containers that are new, that changed
 * state, or of which an event told.
 */
export class ContainerCache {
  private readonly known = new Map<string, { container: ObservedContainer; summary: string }>();

  private readonly reading = new Map<string, Reading>();

  constructor(
    private readonly docker: Docker,
    private readonly options: {
      /** A container that the engine doesn't answer about for so long is listed as `unread`. */
      patienceMs: number;
      /** A container is about to be read. */
      onRead(containerId: string): void;
    },
  ) {}

  forget(containerId: string): void {
    this.known.delete(containerId);
    const reading = this.reading.get(containerId);
    if (reading) reading.isOutdated = true;
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
    // The engine tells no event of a container that is taken off a network.
    const networks = Object.keys(entry.NetworkSettings?.Networks ?? {}).toSorted();
    const summary = `${entry.State} ${health} ${JSON.stringify([entry.Names, networks])}`;
    const known = this.known.get(entry.Id);
    if (known && known.summary === summary) return known.container;
    const hung = this.reading.get(entry.Id);
    if (hung?.isLate) return toUnread(entry);
    const reading = hung ?? this.begin(entry.Id, summary);
    await waitFor(this.options.patienceMs, reading.ended.signal);
    if (!reading.ended.signal.aborted) {
      reading.isLate = true;
      return toUnread(entry);
    }
    return reading.answer;
  }

  private begin(containerId: string, summary: string): Reading {
    const ended = new AbortController();
    this.options.onRead(containerId);
    const answer = readContainer(this.docker, containerId).finally(() => {
      ended.abort();
      this.reading.delete(containerId);
    });
    const reading: Reading = { answer, ended, isLate: false, isOutdated: false };
    this.reading.set(containerId, reading);
    const keep = (container: ObservedContainer | null): void => {
      if (container && !reading.isOutdated) this.known.set(containerId, { container, summary });
    };
    // Whoever still waits for it hears of its failure.
    answer.then(keep, () => undefined);
    return reading;
  }
}
