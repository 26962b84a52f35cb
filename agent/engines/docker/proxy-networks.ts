import type Docker from 'dockerode';
import { labels } from '../../../lib/protocol/specs/desired';
import { nameProxyNetwork } from '../../routes/proxy-network';
import { ENABLE_LABEL } from '../../routes/traefik-labels';
import type { OwnedNetwork } from '../engine';
import type { ProxyConnection } from '../engine-proxies';
import { EngineError } from '../engine-error';
import type { Bridges } from './bridges';
import { ask } from './docker-client';

const PROXY_KIND = 'proxy-network';
/** By which the agent knows that it put a proxy on a network, and so may take it off. */
const MARK = 'berth-proxy';
const CONTAINER_NAME = /^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/;

/**
 * One bridge for each owner of workspaces with addresses, on which there are those and the host's reverse proxy: it reaches
 * nothing else of theirs, and nobody else reaches them. It is internal, so that the proxy's own way out, and the ports that
 * it publishes, stay where they are. Made with the first such workspace, removed after the last one.
 */
export class ProxyNetworks {
  /** A network is not removed while something is put on it. */
  private turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly docker: Docker,
    private readonly bridges: Bridges,
  ) {}

  /** Puts a container on its owner's network, before it starts: proxies look at it then. */
  attach(containerId: string, owned: OwnedNetwork): Promise<void> {
    return this.inTurn(() => this.join(containerId, owned));
  }

  /** Has the proxy reach the container, and resolves with the container's address for it; empty while it has none. */
  connect(connection: ProxyConnection): Promise<string> {
    return this.inTurn(async () => {
      const { containerId, containerName, ...owned } = connection;
      const network = nameProxyNetwork(owned);
      const proxy = await findProxy(this.docker, containerName);
      await this.join(containerId, owned);
      // One that shares the machine's network reaches every container already.
      if (proxy.HostConfig.NetworkMode !== 'host' && !proxy.NetworkSettings.Networks[network]) {
        await this.put(proxy.Id, network, [MARK]);
      }
      const { NetworkSettings } = await ask(() => this.docker.getContainer(containerId).inspect());
      return NetworkSettings.Networks[network]?.IPAddress ?? '';
    });
  }

  /** Removes the network of an owner when it is one of ours and no workspace, running or not, is on it. */
  release(network: string): Promise<void> {
    return this.inTurn(async () => {
      const found = await this.bridges.find(network);
      if (found?.Labels?.[labels.kind] !== PROXY_KIND) return;
      const filters = { network: [network] };
      const users = await ask(() => this.docker.listContainers({ all: true, filters }));
      if (users.some(({ Labels }) => Labels[labels.host] !== undefined)) return;
      for (const { Id } of users) if (!(await this.takeOff(Id, network))) return;
      await this.bridges.remove(found.Id).catch(ignoreUse);
    });
  }

  /** Removes what is left of networks whose containers went while nobody looked. */
  async sweep(hostId: string): Promise<void> {
    const label = [`${labels.host}=${hostId}`, `${labels.kind}=${PROXY_KIND}`];
    const left = await ask(() => this.docker.listNetworks({ filters: { label } }));
    for (const { Name } of left) await this.release(Name);
  }

  private async join(containerId: string, owned: OwnedNetwork): Promise<void> {
    const { hostId, ownerId } = owned;
    if (ownerId === '') throw new EngineError('invalid', 'a workspace that belongs to nobody has no addresses');
    const { Config, NetworkSettings } = await ask(() => this.docker.getContainer(containerId).inspect());
    const name = nameProxyNetwork(owned);
    if (NetworkSettings.Networks[name]) return;
    // By its own rule Traefik opens whatever it reaches, unless that says otherwise; older agents' containers say nothing.
    if (Config.Labels?.[ENABLE_LABEL] === undefined) throw new EngineError('conflict', TOO_OLD);
    await this.bridges.ensure({ name, kind: PROXY_KIND, hostId, id: ownerId, isInternal: true });
    await this.put(containerId, name, []);
  }

  private async put(Container: string, network: string, Aliases: string[]): Promise<void> {
    await ask(() => this.docker.getNetwork(network).connect({ Container, EndpointConfig: { Aliases } }));
  }

  /** False for a container that is no proxy which the agent put there. */
  private async takeOff(containerId: string, network: string): Promise<boolean> {
    const { NetworkSettings } = await ask(() => this.docker.getContainer(containerId).inspect());
    const endpoint = NetworkSettings.Networks[network];
    if (!endpoint) return true;
    if (!((endpoint.Aliases ?? []) as string[]).includes(MARK)) return false;
    await ask(() => this.docker.getNetwork(network).disconnect({ Container: containerId, Force: true }));
    return true;
  }

  private inTurn<T>(act: () => Promise<T>): Promise<T> {
    const mine = this.turn.then(act);
    this.turn = mine.catch(() => undefined);
    return mine;
  }
}

const TOO_OLD = 'its container was made before there were addresses. Redeploy the workspace.';

async function findProxy(docker: Docker, name: string): Promise<Docker.ContainerInspectInfo> {
  const absent = `there is no container ${name} of Traefik on the host. Start it, or change the host's reverse proxy.`;
  if (!CONTAINER_NAME.test(name)) throw new EngineError('invalid', absent);
  try {
    const found = await ask(() => docker.getContainer(name).inspect());
    if (found.Config.Labels?.[labels.kind] !== 'workspace') return found;
  } catch (error) {
    if (error instanceof EngineError && error.kind === 'not-found') throw new EngineError('not-found', absent);
    throw error;
  }
  throw new EngineError('conflict', `the container ${name} is a workspace, and can't be the host's Traefik`);
}

function ignoreUse(error: unknown): void {
  if (!(error instanceof EngineError) || error.kind !== 'conflict') throw error;
}
