import type Docker from 'dockerode';
import type { ContainerCreateOptions } from 'dockerode';
import { labels } from '../../../lib/protocol/specs/desired';
import type { ContainerState } from '../engine';
import { EngineError } from '../engine-error';
import type { ContainerAddress, EngineProxies, ObservedProxyContainer, ProxyRequest } from '../engine-proxies';
import { type Bridges, isOurs } from './bridges';
import { ask } from './docker-client';
import { inspectImage } from './docker-images';
import { neutralLabels } from './foreign-labels';
import { readByContainer } from './image-files';
import { nameResource } from './resources';

const KIND = 'proxy';
const NETWORK_KIND = 'proxy-network';
const CONFIG_TARGET = '/etc/traefik/traefik.toml';
const READ_MS = 30_000;
/** What the engine says of a bind mount of what it does not see. */
const NO_SOURCE = /bind source path does not exist/i;
const USUAL_SOCKET = '/var/run/docker.sock';
const LOG_ROTATION = { 'max-size': '50m', 'max-file': '4' };

/** The host's reverse proxy on a Docker engine. */
export class DockerProxies implements EngineProxies {
  constructor(
    private readonly docker: Docker,
    private readonly parts: { bridges: Bridges; dockerHost: string; logDriver(): Promise<string> },
  ) {}

  async observe(hostId: string): Promise<ObservedProxyContainer[]> {
    const filters = { label: [`${labels.host}=${hostId}`, `${labels.kind}=${KIND}`] };
    const listed = await ask(() => this.docker.listContainers({ all: true, filters }));
    const found = await Promise.all(listed.map(({ Id }) => this.inspect(Id)));
    return found
      .filter((info) => info !== undefined)
      .map(toObserved)
      .toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
  }

  async requireFreeName(hostId: string, name: string): Promise<void> {
    const info = await this.inspect(name);
    // An id, or the beginning of one, finds a container too.
    if (!info || info.Name !== `/${name}` || isOurs(info.Config, { kind: KIND, hostId })) return;
    const words = `The host has a container ${name} that Berth did not make. Remove or rename it, or use another name.`;
    throw new EngineError('conflict', words);
  }

  async ensureNetwork(hostId: string, name: string): Promise<void> {
    if (await this.parts.bridges.find(name)) return;
    if ([nameResource('network', { hostId, id: '' }), `berth-${hostId}-`].some((own) => name.startsWith(own))) {
      throw new EngineError('invalid', `The host has no network ${name}, and only Berth gives names like that.`);
    }
    await this.parts.bridges.ensure({ name, kind: NETWORK_KIND, hostId, id: hostId });
  }

  async requireSeen({ hostId, image, configFile, config }: Parameters<EngineProxies['requireSeen']>[0]): Promise<void> {
    const mounts = [bind(configFile, CONFIG_TARGET)];
    const bytes = Buffer.from(config);
    const asked = { hostId, image, paths: [CONFIG_TARGET], maxBytes: bytes.length, mounts };
    const [file] = await readByContainer(this.docker, asked, AbortSignal.timeout(READ_MS)).catch((error: unknown) => {
      if (error instanceof EngineError && NO_SOURCE.test(error.message)) return [];
      throw error;
    });
    if (file?.problem === '' && file.bytes.equals(bytes)) return;
    const words = `The engine does not see what the agent wrote to ${configFile}.`;
    const cure = `An agent that runs in a container needs the folder of the host mounted at the same path.`;
    throw new EngineError('invalid', `${words} ${cure}`);
  }

  async create(request: ProxyRequest): Promise<string> {
    const imageLabels = (await inspectImage(this.docker, request.image))?.labels ?? {};
    const socket = this.socketOf(request);
    const setting = { imageLabels, socket, logDriver: await this.parts.logDriver() };
    const container = await ask(() => this.docker.createContainer(toCreateOptions(request, setting)));
    return container.id;
  }

  async removeNetworks(hostId: string, keep: string): Promise<void> {
    const filters = { label: [`${labels.host}=${hostId}`, `${labels.kind}=${NETWORK_KIND}`] };
    const networks = await ask(() => this.docker.listNetworks({ filters }));
    for (const { Name, Id } of networks.filter((network) => network.Name !== keep)) {
      const users = await ask(() => this.docker.listContainers({ all: true, limit: 1, filters: { network: [Name] } }));
      if (users.length > 0) continue;
      await this.parts.bridges.remove(Id).catch((error: unknown) => {
        if (!(error instanceof EngineError) || error.kind !== 'conflict') throw error;
      });
    }
  }

  async findAddress(containerName: string): Promise<ContainerAddress | null> {
    const info = await this.inspect(containerName);
    if (!info || info.Name !== `/${containerName}`) return null;
    const networks = Object.entries(info.NetworkSettings.Networks);
    return {
      isRunning: info.State.Running,
      isOnHost: info.HostConfig.NetworkMode === 'host',
      addresses: Object.fromEntries(
        networks.flatMap(([name, { IPAddress }]) => (IPAddress ? [[name, IPAddress]] : [])),
      ),
    };
  }

  /** Where the engine's socket is on the host, as far as the agent knows. */
  private socketOf({ spec }: ProxyRequest): string {
    if (spec.socketPath === '') return '';
    const { dockerHost } = this.parts;
    if (dockerHost.startsWith('unix://')) return dockerHost.slice('unix://'.length);
    if (dockerHost.startsWith('/')) return dockerHost;
    return USUAL_SOCKET;
  }

  private async inspect(container: string): Promise<Docker.ContainerInspectInfo | undefined> {
    try {
      return await ask(() => this.docker.getContainer(container).inspect());
    } catch (error) {
      if (error instanceof EngineError && error.kind === 'not-found') return undefined;
      throw error;
    }
  }
}

function bind(Source: string, Target: string): Docker.MountSettings {
  return { Type: 'bind', Source, Target, ReadOnly: true };
}

interface Setting {
  imageLabels: Record<string, string>;
  /** Empty for a proxy that needs none. */
  socket: string;
  logDriver: string;
}

function toCreateOptions(
  { spec, hostId, specHash, image, configFile, dynamicFolder }: ProxyRequest,
  { imageLabels, socket, logDriver }: Setting,
): ContainerCreateOptions {
  const bindings: Record<string, { HostIp: string; HostPort: string }[]> = {};
  for (const { containerPort, protocol, hostPort } of spec.ports) {
    const HostPort = hostPort === 0 ? '' : String(hostPort);
    (bindings[`${containerPort}/${protocol}`] ??= []).push({ HostIp: '', HostPort });
  }
  return {
    name: spec.containerName,
    Image: image,
    Labels: {
      ...neutralLabels(imageLabels),
      [labels.host]: hostId,
      [labels.kind]: KIND,
      [labels.id]: hostId,
      [labels.specHash]: specHash,
    },
    ExposedPorts: Object.fromEntries(Object.keys(bindings).map((key) => [key, {}])),
    HostConfig: {
      Privileged: false,
      SecurityOpt: ['no-new-privileges'],
      NetworkMode: spec.networkName,
      PortBindings: bindings,
      Mounts: [
        bind(configFile, CONFIG_TARGET),
        bind(dynamicFolder, dynamicFolder),
        ...(socket === '' ? [] : [bind(socket, spec.socketPath)]),
      ],
      RestartPolicy: { Name: 'unless-stopped' },
      ...(logDriver === 'json-file' && { LogConfig: { Type: logDriver, Config: LOG_ROTATION } }),
    },
  };
}

function toObserved(info: Docker.ContainerInspectInfo): ObservedProxyContainer {
  const startedAtMs = Date.parse(info.State.StartedAt);
  return {
    containerId: info.Id,
    name: info.Name.replace(/^\//, ''),
    specHash: info.Config.Labels?.[labels.specHash] ?? '',
    state: info.State.Status as ContainerState,
    exitCode: info.State.ExitCode,
    restarts: info.RestartCount,
    // The engine's word for never is in the year 1.
    startedAtMs: startedAtMs > 0 ? startedAtMs : 0,
    createdAt: info.Created,
    configFile: info.Mounts.find(({ Destination }) => Destination === CONFIG_TARGET)?.Source ?? '',
  };
}
