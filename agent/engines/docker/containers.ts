import type Docker from 'dockerode';
import type { ContainerCreateOptions } from 'dockerode';
import { labels } from '../../../lib/protocol/specs/desired';
import { type WorkspaceSpec } from '../../../lib/protocol/specs/workspace';
import type { ContainerLimits, ContainerRequest, ContainerState, ObservedContainer } from '../engine';
import { EngineError } from '../engine-error';
import { ask } from './docker-client';
import { neutralLabels, proxyLabels } from './foreign-labels';
import { STOP_GRACE_SECONDS } from './engine-calls';
import { nameResource, networkIdOf } from './resources';

const NANO_CPUS = 1e9;
/** What a container may print before its oldest lines go. Docker's own default keeps everything until the disk is full. */
const LOG_ROTATION = { 'max-size': '50m', 'max-file': '4' };

/** What the engine has to say of a request before a container is made from it. */
export interface CreateSetting {
  logDriver: string;
  imageLabels: Record<string, string>;
  /** Empty for the engine's own. */
  network: string;
}

/** What a container of a workspace is made from. Never privileged and never in a namespace of the host. */
function toCreateOptions(request: ContainerRequest, setting: CreateSetting): ContainerCreateOptions {
  const { spec } = request;
  const { logDriver, imageLabels, network } = setting;
  return {
    name: request.name,
    Image: request.image,
    Env: spec.environment.map(({ name, value }) => `${name}=${value}`),
    ...(spec.command ? { Cmd: spec.command } : {}),
    Tty: false,
    // Whoever attaches may type, leave and come back. No part of a spec asks for it, so none that runs is made anew for it.
    OpenStdin: true,
    StdinOnce: false,
    ...toHealthcheck(spec),
    Labels: {
      ...neutralLabels(imageLabels),
      ...proxyLabels(request.labels ?? {}, imageLabels),
      [labels.host]: request.hostId,
      [labels.kind]: 'workspace',
      [labels.id]: request.workspaceId,
      [labels.generation]: String(spec.generation),
      [labels.specHash]: request.specHash,
    },
    ExposedPorts: Object.fromEntries(spec.ports.map((port) => [`${port.containerPort}/${port.protocol}`, {}])),
    HostConfig: {
      Privileged: false,
      ...toConfinement(spec),
      ...(network !== '' && { NetworkMode: network }),
      PortBindings: toPortBindings(spec),
      ...(request.mounts.length > 0 && { Mounts: toMounts(request) }),
      RestartPolicy: toRestartPolicy(spec.autoStart),
      // Another driver is the admin's choice, with limits of its own.
      ...(logDriver === 'json-file' && { LogConfig: { Type: logDriver, Config: LOG_ROTATION } }),
      ...(spec.shmSizeBytes > 0 ? { ShmSize: spec.shmSizeBytes } : {}),
      ...(spec.cpuLimit > 0 ? { NanoCpus: Math.round(spec.cpuLimit * NANO_CPUS) } : {}),
      ...(spec.memoryLimitBytes > 0 ? { Memory: spec.memoryLimitBytes } : {}),
      ...(request.runtime ? { Runtime: request.runtime } : {}),
      ...toDeviceRequests(spec),
    },
  };
}

function toConfinement({ isolation }: WorkspaceSpec) {
  return {
    SecurityOpt: isolation.allowNewPrivileges ? [] : ['no-new-privileges'],
    CapDrop: isolation.keepNetRaw ? [] : ['NET_RAW'],
    ...(isolation.pidsLimit > 0 && { PidsLimit: isolation.pidsLimit }),
  };
}

function toMounts({ mounts, hostId }: ContainerRequest): Docker.MountSettings[] {
  return mounts.map((mount) => {
    const seen = { Target: mount.path, ReadOnly: mount.readOnly };
    if ('folder' in mount) return { Type: 'bind', Source: mount.folder, ...seen };
    return { Type: 'volume', Source: nameResource('volume', { hostId, id: mount.volumeId }), ...seen };
  });
}

const NANO_PER_MS = 1e6;

function toHealthcheck({ healthCheck }: WorkspaceSpec): Pick<ContainerCreateOptions, 'Healthcheck'> {
  if (!healthCheck) return {};
  const { command, intervalMs, timeoutMs, retries, startMs } = healthCheck;
  return {
    Healthcheck: {
      Test: ['CMD-SHELL', command],
      Interval: intervalMs * NANO_PER_MS,
      Timeout: timeoutMs * NANO_PER_MS,
      Retries: retries,
      StartPeriod: startMs * NANO_PER_MS,
    },
  };
}

function toPortBindings(spec: WorkspaceSpec): Record<string, { HostIp: string; HostPort: string }[]> {
  const bindings: Record<string, { HostIp: string; HostPort: string }[]> = {};
  for (const port of spec.ports) {
    const key = `${port.containerPort}/${port.protocol}`;
    (bindings[key] ??= []).push({ HostIp: port.hostIp, HostPort: port.hostPort === 0 ? '' : String(port.hostPort) });
  }
  return bindings;
}

function toRestartPolicy(autoStart: boolean): { Name: string } {
  return { Name: autoStart ? 'unless-stopped' : 'no' };
}

function toDeviceRequests({ gpus }: WorkspaceSpec) {
  if (!gpus) return {};
  const wanted = 'count' in gpus ? { Count: gpus.count } : { DeviceIDs: gpus.uuids };
  return { DeviceRequests: [{ Driver: '', Capabilities: [['gpu']], ...wanted }] };
}

export async function createContainer(
  docker: Docker,
  request: ContainerRequest,
  setting: CreateSetting,
): Promise<string> {
  const container = await ask(() => docker.createContainer(toCreateOptions(request, setting)));
  return container.id;
}

/** The networks that a container is on, its own first; none when the container is gone. */
export async function readNetworks(docker: Docker, containerId: string): Promise<string[]> {
  try {
    const info = await ask(() => docker.getContainer(containerId).inspect());
    return [...new Set([info.HostConfig.NetworkMode ?? '', ...Object.keys(info.NetworkSettings.Networks)])];
  } catch (error) {
    if (error instanceof EngineError && error.kind === 'not-found') return [];
    throw error;
  }
}

export async function startContainer(docker: Docker, containerId: string): Promise<void> {
  const container = docker.getContainer(containerId);
  try {
    await ask(() => container.start());
  } catch (error) {
    const status = await statusOf(docker, containerId);
    if (status === 'running') return;
    if (status !== 'paused') throw error;
    await ask(() => container.unpause());
  }
}

async function statusOf(docker: Docker, containerId: string): Promise<string> {
  return (await readContainer(docker, containerId))?.state ?? '';
}

export async function stopContainer(docker: Docker, containerId: string): Promise<void> {
  await unlessGone(() => docker.getContainer(containerId).stop({ t: STOP_GRACE_SECONDS }));
}

export async function removeContainer(docker: Docker, containerId: string): Promise<void> {
  await unlessGone(() => docker.getContainer(containerId).stop({ t: STOP_GRACE_SECONDS }));
  await unlessGone(() => docker.getContainer(containerId).remove({ force: true, v: true }));
}

/** Docker answers 304 when it was down already, and 404 when it is gone. */
async function unlessGone(call: () => Promise<unknown>): Promise<void> {
  try {
    await call();
  } catch (error) {
    const status = (error as { statusCode?: number }).statusCode;
    if (status === 304 || status === 404) return;
    await ask(() => Promise.reject(error instanceof Error ? error : new Error(String(error))));
  }
}

export async function updateContainer(docker: Docker, containerId: string, limits: ContainerLimits): Promise<void> {
  await ask(() =>
    docker.getContainer(containerId).update({
      RestartPolicy: toRestartPolicy(limits.autoStart),
      ...(limits.cpuLimit > 0 ? { NanoCpus: Math.round(limits.cpuLimit * NANO_CPUS) } : {}),
      ...(limits.memoryLimitBytes > 0
        ? { Memory: limits.memoryLimitBytes, MemorySwap: limits.memoryLimitBytes * 2 }
        : {}),
    }),
  );
}

/** Null when the container is gone. */
export async function readContainer(docker: Docker, containerId: string): Promise<ObservedContainer | null> {
  try {
    return toObserved(await ask(() => docker.getContainer(containerId).inspect()));
  } catch (error) {
    if (error instanceof EngineError && error.kind === 'not-found') return null;
    throw error;
  }
}

/** What the list says of a container whose details the engine doesn't give. */
export function toUnread(entry: Docker.ContainerInfo): ObservedContainer {
  return {
    containerId: entry.Id,
    name: (entry.Names[0] ?? '').replace(/^\//, ''),
    workspaceId: entry.Labels[labels.id] ?? '',
    generation: Number(entry.Labels[labels.generation] ?? 0),
    specHash: entry.Labels[labels.specHash] ?? '',
    imageId: entry.ImageID,
    state: 'unread',
    health: 'none',
    healthMessage: '',
    healthPatienceMs: 0,
    exitCode: 0,
    outOfMemory: false,
    restarts: 0,
    createdAt: new Date(entry.Created * 1000).toISOString(),
    limits: { cpuLimit: 0, memoryLimitBytes: 0, autoStart: false },
    ports: [],
    networks: [],
    address: '',
  };
}

function toObserved(info: Docker.ContainerInspectInfo): ObservedContainer {
  const label = info.Config.Labels ?? {};
  const health = info.State.Health;
  const host = info.HostConfig;
  return {
    containerId: info.Id,
    name: info.Name.replace(/^\//, ''),
    workspaceId: label[labels.id] ?? '',
    generation: Number(label[labels.generation] ?? 0),
    specHash: label[labels.specHash] ?? '',
    imageId: info.Image,
    state: info.State.Status as ContainerState,
    health: (health?.Status as ObservedContainer['health'] | undefined) ?? 'none',
    healthPatienceMs: toHealthPatience(info.Config.Healthcheck),
    healthMessage: health?.Log?.findLast((entry) => entry.ExitCode !== 0)?.Output.trim() ?? '',
    exitCode: info.State.ExitCode,
    outOfMemory: info.State.OOMKilled,
    restarts: info.RestartCount,
    createdAt: info.Created,
    limits: {
      cpuLimit: (host.NanoCpus ?? 0) / NANO_CPUS,
      memoryLimitBytes: host.Memory ?? 0,
      autoStart: host.RestartPolicy?.Name === 'unless-stopped' || host.RestartPolicy?.Name === 'always',
    },
    ports: readPorts(info),
    networks: Object.keys(info.NetworkSettings.Networks).flatMap(
      (name) => networkIdOf(name, label[labels.host] ?? '') ?? [],
    ),
    address: info.NetworkSettings.Networks[host.NetworkMode ?? '']?.IPAddress ?? '',
  };
}

/** Docker's defaults of a health check, and how long the engine itself may be busy. */
const CHECK_MS = 30_000;
const CHECK_RETRIES = 3;
const CHECK_SLACK_MS = 30_000;
const HEALTH_PATIENCE_MAX_MS = 60 * 60_000;

/** The check's own words on when it counts as failed; Docker keeps them in nanoseconds, 0 for the default. */
function toHealthPatience(check: Docker.HealthConfig | undefined): number {
  const { StartPeriod = 0, Interval = 0, Timeout = 0, Retries = 0 } = check ?? {};
  const roundMs = (Interval / 1e6 || CHECK_MS) + (Timeout / 1e6 || CHECK_MS);
  const patienceMs = StartPeriod / 1e6 + roundMs * (Retries || CHECK_RETRIES) + CHECK_SLACK_MS;
  return Math.min(patienceMs, HEALTH_PATIENCE_MAX_MS);
}

/** The engine lists a port on all addresses for IPv4 and again for IPv6: that is one port, with an empty host ip. */
function readPorts(info: Docker.ContainerInspectInfo): ObservedContainer['ports'] {
  const bound = Object.entries(info.NetworkSettings.Ports ?? {}) as [string, Docker.PortBinding[] | null][];
  return bound.flatMap(([key, bindings]) => {
    const [port, protocol] = key.split('/');
    const isOnAllIpv4 = (bindings ?? []).some(({ HostIp }) => HostIp === '0.0.0.0');
    const distinct = (bindings ?? []).filter(({ HostIp }) => !(isOnAllIpv4 && HostIp === '::'));
    return distinct.map(({ HostIp = '', HostPort }) => ({
      containerPort: Number(port),
      protocol: protocol === 'udp' ? ('udp' as const) : ('tcp' as const),
      hostPort: Number(HostPort),
      hostIp: HostIp === '0.0.0.0' || HostIp === '::' ? '' : HostIp,
    }));
  });
}
