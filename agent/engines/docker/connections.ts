import type Docker from 'dockerode';
import { labels } from '../../../lib/protocol/specs/desired';
import type { Connection } from '../engine';
import { toMessage } from '../engine-error';
import { ask } from './docker-client';
import { nameResource } from './resources';

/** Puts a container on networks: older engines take no more than one when it is made. */
export async function connect(docker: Docker, containerId: string, connection: Connection): Promise<void> {
  const { hostId, networks, aliases } = connection;
  for (const id of networks) {
    const network = docker.getNetwork(nameResource('network', { hostId, id }));
    await ask(() => network.connect({ Container: containerId, EndpointConfig: { Aliases: aliases } }));
  }
}

/** What the engine says of a network that a container was made on and that is gone. */
const GONE = /network \S+ not found|could not find network/i;

/**
 * Puts a container that is down on the networks of today's engine that have the names of those it was on: a network that was
 * removed by hand and made anew is another to the engine. False when the failure was about something else.
 */
export async function renew(docker: Docker, containerId: string, failure: unknown): Promise<boolean> {
  if (!GONE.test(toMessage(failure))) return false;
  const container = docker.getContainer(containerId);
  const info = await ask(() => container.inspect());
  const host = info.Config.Labels?.[labels.host] ?? '';
  const start = nameResource('network', { hostId: host, id: '' });
  const ours = Object.entries(info.NetworkSettings.Networks).filter(([name]) => name.startsWith(start));
  for (const [name, { Aliases }] of ours) {
    await ask(() => docker.getNetwork(name).disconnect({ Container: containerId, Force: true }));
    const kept = (Aliases ?? []).filter((alias: string) => !containerId.startsWith(alias));
    await ask(() => docker.getNetwork(name).connect({ Container: containerId, EndpointConfig: { Aliases: kept } }));
  }
  return ours.length > 0;
}
