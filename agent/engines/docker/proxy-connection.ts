import type Docker from 'dockerode';
import { labels } from '../../../lib/protocol/specs/desired';
import { ENABLE_LABEL } from '../../routes/traefik-labels';
import type { ProxyConnection } from '../engine';
import { EngineError } from '../engine-error';
import { ask } from './docker-client';

/** By which the agent knows that it put a proxy on a network, and so may take it off. */
const MARK = 'berth-proxy';
const CONTAINER_NAME = /^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/;

/** Puts a proxy's container on an owner's network; fine when it is there. */
export async function connectProxy(docker: Docker, connection: ProxyConnection, network: string): Promise<void> {
  const { containerName, hostId, ownerId } = connection;
  if (ownerId === '') throw new EngineError('invalid', 'a workspace that belongs to nobody has no network of its own');
  const proxy = await findProxy(docker, containerName);
  // It shares the machine's network, and reaches every container already.
  if (proxy.HostConfig.NetworkMode === 'host') return;
  if (proxy.NetworkSettings.Networks[network]) return;
  await requireMarked(docker, { hostId, network });
  const EndpointConfig = { Aliases: [MARK] };
  await ask(() => docker.getNetwork(network).connect({ Container: proxy.Id, EndpointConfig }));
}

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

/** By its own rule Traefik opens whatever container it reaches, unless that says otherwise; older agents said nothing. */
async function requireMarked(docker: Docker, { hostId, network }: { hostId: string; network: string }): Promise<void> {
  const filters = { network: [network], label: [`${labels.host}=${hostId}`] };
  const reached = await ask(() => docker.listContainers({ all: true, filters }));
  const unmarked = reached.filter(({ Labels }) => Labels[ENABLE_LABEL] === undefined);
  if (unmarked.length === 0) return;
  const names = unmarked.map(({ Names, Id }) => (Names[0] ?? Id).replace(/^\//, '')).join(', ');
  const words = `Traefik would open containers that were made before there were addresses. Redeploy them first: ${names}`;
  throw new EngineError('conflict', words);
}

/** Takes a container off a network if it is a proxy that the agent put there; false where it is not. */
export async function disconnectProxy(docker: Docker, containerId: string, network: string): Promise<boolean> {
  try {
    const { NetworkSettings } = await ask(() => docker.getContainer(containerId).inspect());
    const endpoint = NetworkSettings.Networks[network];
    if (!endpoint) return true;
    const aliases = (endpoint.Aliases ?? []) as string[];
    if (!aliases.includes(MARK)) return false;
    await ask(() => docker.getNetwork(network).disconnect({ Container: containerId, Force: true }));
    return true;
  } catch (error) {
    if (error instanceof EngineError && error.kind === 'not-found') return true;
    throw error;
  }
}
