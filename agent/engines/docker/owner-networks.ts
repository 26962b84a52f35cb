import type Docker from 'dockerode';
import { labels } from '../../../lib/protocol/specs/desired';
import type { OwnedNetwork } from '../engine';
import { EngineError } from '../engine-error';
import { ask } from './docker-client';
import type { Bridges } from './bridges';

const KIND = 'owner-network';

export function nameOwnerNetwork({ hostId, ownerId }: OwnedNetwork): string {
  return `berth-${hostId}-${ownerId}`;
}

/**
 * One bridge for each owner of workspaces: what a container doesn't publish answers its owner's other containers and nobody
 * else. Made with the first container, removed after the last one.
 */
export class OwnerNetworks {
  /** A network is not removed while a container is being made for it. */
  private turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly docker: Docker,
    private readonly bridges: Bridges,
  ) {}

  /** Makes the container while its owner's network is sure to be there. */
  createWith<T>(owned: OwnedNetwork, create: (network: string) => Promise<T>): Promise<T> {
    return this.inTurn(async () => {
      const network = nameOwnerNetwork(owned);
      await this.bridges.ensure({ name: network, kind: KIND, hostId: owned.hostId, id: owned.ownerId });
      try {
        return await create(network);
      } catch (error) {
        await this.removeUnused(network).catch(() => undefined);
        throw error;
      }
    });
  }

  /** Removes the network when it is one of ours and no container, running or not, is on it. */
  release(network: string): Promise<void> {
    return this.inTurn(() => this.removeUnused(network));
  }

  /** Removes what is left of networks whose containers went while nobody looked. */
  async sweep(hostId: string): Promise<void> {
    const label = [`${labels.host}=${hostId}`, `${labels.kind}=${KIND}`];
    const left = await ask(() => this.docker.listNetworks({ filters: { label } }));
    for (const { Name } of left) await this.release(Name);
  }

  private inTurn<T>(act: () => Promise<T>): Promise<T> {
    const mine = this.turn.then(act);
    this.turn = mine.catch(() => undefined);
    return mine;
  }

  private async removeUnused(network: string): Promise<void> {
    const found = await this.bridges.find(network);
    if (found?.Labels?.[labels.kind] !== KIND) return;
    // By name: a container that never started has no network's id yet.
    const filters = { network: [network] };
    const users = await ask(() => this.docker.listContainers({ all: true, limit: 1, filters }));
    if (users.length > 0) return;
    await this.bridges.remove(found.Id).catch(ignoreUse);
  }
}

function ignoreUse(error: unknown): void {
  if (!(error instanceof EngineError) || error.kind !== 'conflict') throw error;
}
