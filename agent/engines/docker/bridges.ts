import type Docker from 'dockerode';
import { labels } from '../../../lib/protocol/specs/desired';
import { EngineError } from '../engine-error';
import { ask } from './docker-client';
import { listFreeSubnets, listOwnRanges } from './free-subnet';

/** What the engine says when something that it does not list has a subnet. */
const OVERLAPS = /overlap/i;
const SUBNET_TRIES = 5;

interface Bridge {
  name: string;
  kind: string;
  hostId: string;
  id: string;
  /** With no way out of the machine. */
  isInternal?: boolean;
}

/** The engine's bridge networks, each with a small range of addresses of its own. */
export class Bridges {
  /** Two that are made at once would pick the same range. */
  private turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly docker: Docker,
    private readonly pool: string,
  ) {}

  /** Throws a conflict when something else has the name. */
  ensure(bridge: Bridge): Promise<void> {
    const mine = this.turn.then(() => this.make(bridge));
    this.turn = mine.catch(() => undefined);
    return mine;
  }

  async find(name: string): Promise<Docker.NetworkInspectInfo | undefined> {
    const named = await ask(() => this.docker.listNetworks({ filters: { name: [name] } }));
    // The engine's filter takes parts of names too.
    return named.find(({ Name }) => Name === name);
  }

  /** Fine when it is gone; throws a conflict while a container is on it. */
  async remove(engineId: string): Promise<void> {
    try {
      await ask(() => this.docker.getNetwork(engineId).remove());
    } catch (error) {
      if (!(error instanceof EngineError) || error.kind !== 'not-found') throw error;
    }
  }

  private async make({ name, kind, hostId, id, isInternal = false }: Bridge): Promise<void> {
    const found = await this.find(name);
    if (found && isOurs(found, { kind, hostId })) return;
    if (found) throw new EngineError('conflict', `The engine has a network ${name} that is not ours. Remove it.`);
    const Labels = { [labels.host]: hostId, [labels.kind]: kind, [labels.id]: id };
    const wanted = { Name: name, Driver: 'bridge', Labels, Internal: isInternal };
    for (const Subnet of (await this.listFree()).slice(0, SUBNET_TRIES)) {
      try {
        await ask(() => this.docker.createNetwork({ ...wanted, IPAM: { Driver: 'default', Config: [{ Subnet }] } }));
        return;
      } catch (error) {
        if (!(error instanceof EngineError) || !OVERLAPS.test(error.message)) throw error;
      }
    }
    await ask(() => this.docker.createNetwork(wanted));
  }

  /** The engine's own choice takes ranges so large that thirty use up its addresses. */
  private async listFree(): Promise<string[]> {
    const networks = await ask(() => this.docker.listNetworks());
    const taken = networks.flatMap(({ IPAM }) => (IPAM?.Config ?? []).flatMap(({ Subnet }) => Subnet ?? []));
    return listFreeSubnets(this.pool, [...taken, ...listOwnRanges()]);
  }
}

/** Whether an object of the engine carries the labels that the agent gives. */
export function isOurs(
  object: { Labels?: Record<string, string> | null | undefined },
  { kind, hostId }: { kind: string; hostId: string },
): boolean {
  return object.Labels?.[labels.kind] === kind && object.Labels[labels.host] === hostId;
}
