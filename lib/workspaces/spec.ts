import type { RegistryAuthSpec } from '@/lib/protocol/specs/host';
import type { RouteSpec } from '@/lib/protocol/specs/route';
import type { MountSpec, PortSpec, WorkspaceSpec } from '@/lib/protocol/specs/workspace';
import type { Pinned } from '@/lib/images/good-build';
import { isFreshTag, readOwnName } from '@/lib/protocol/image-names';
import { imageReference, isInRegistry, type SpecImage } from '@/lib/vocabulary/image-reference';
import { plainPath } from '@/lib/vocabulary/paths';
import { expandPortMappings } from '@/lib/vocabulary/ports';
import { type HostIsolation, proxyTypeOf, type ReverseProxy } from '@/lib/vocabulary/host';
import { isolationOf } from '@/lib/vocabulary/host-isolation';
import { splitShellWords } from './shell-words';
import type {
  EnvironmentVariable,
  GpuRequest,
  HealthCheck,
  PortMapping,
  VolumePaths,
} from '@/lib/vocabulary/workspace';

/** A workspace's spec as the console keeps it: values of secret variables are sealed. */
export type StoredWorkspaceSpec = Omit<WorkspaceSpec, 'environment'> & { environment: EnvironmentVariable[] };

export interface SpecWorkspace {
  id: string;
  created_by: string;
  name: string;
  host: string;
  runtime: string;
  gpus: GpuRequest | null;
  command: string;
  arguments: string[] | null;
  autoStart: boolean;
  shmSize: number;
  cpuLimit: number;
  memoryLimit: number;
  healthCheck: HealthCheck;
  environmentVariables: EnvironmentVariable[] | null;
  portMappings: PortMapping[] | null;
  networks: string[];
  volumes: string[];
  volumePaths: VolumePaths | null;
}

export interface SpecHost {
  id: string;
  default_runtime: string;
  default_gpu_runtime: string;
  pull_timeout: number;
  isolation: HostIsolation | null;
  reverse_proxy: ReverseProxy | null;
}

export interface SpecRequest {
  generation: number;
  attempt: number;
  remake?: number;
  order?: WorkspaceSpec['order'];
  ports?: PortSpec[];
  /** Addresses from outside; hashes of their passwords are sealed. */
  routes?: RouteSpec[];
  /** What the host calls the image; left out, the name that was chosen. */
  tag?: string | undefined;
  /** What it is pulled with, where it has to be; its password is sealed. */
  account?: RegistryAuthSpec | undefined;
}

/**
 * What the host is asked to run for a workspace, from its record as it is. Pure; generation and attempt are the caller's, and
 * `ports` what it has now: a host port that the record leaves open stays.
 * A command that can't be split is passed as one word: the schema refuses it before.
 */
export function buildWorkspaceSpec(
  workspace: SpecWorkspace,
  image: SpecImage & Pinned,
  host: SpecHost,
  asked: SpecRequest,
): StoredWorkspaceSpec {
  const pull = isInRegistry(image);
  const isolation = isolationOf(host);
  const mounts = mountsOf(workspace);
  const healthCheck = toHealthSpec(workspace.healthCheck);
  const routedBy = ROUTED_BY[proxyTypeOf(host.reverse_proxy)];
  const routes = routedBy === '' ? [] : (asked.routes ?? []);
  const isRouted = routes.length > 0;
  const asksMore = isRouted || mounts.length > 0 || workspace.networks.length > 0 || healthCheck !== null;
  const pullTimeoutMs = host.pull_timeout * 1000;
  return {
    name: workspace.name,
    generation: asked.generation,
    attempt: asked.attempt,
    state: 'running',
    image: {
      reference: pull ? image.pulledBy || imageReference(image) : (asked.tag ?? imageReference(image)),
      tag: asked.tag,
      account: pull ? asked.account : undefined,
      // Another host's engine may know the same image by another id, and what is pulled anew has one that nobody knows yet.
      id: image.build_on === host.id && !isFreshTag(asked.tag ?? '') ? image.imageId : '',
      pull,
      // An agent that knows nothing of mounts, networks, health checks and routes refuses the spec for what it misses.
      ...(asksMore && { pullTimeoutMs }),
    },
    command: commandOf(workspace),
    environment: (workspace.environmentVariables ?? []).map(({ name, value, secret }) => ({ name, value, secret })),
    ports: keepOpen(expandPortMappings(workspace.portMappings ?? []).map(toPortSpec), asked.ports ?? []),
    runtime: workspace.runtime || (hasGpus(workspace.gpus) ? host.default_gpu_runtime : host.default_runtime),
    gpus: hasGpus(workspace.gpus) ? workspace.gpus : null,
    shmSizeBytes: workspace.shmSize,
    cpuLimit: workspace.cpuLimit || isolation.cpuLimit,
    memoryLimitBytes: workspace.memoryLimit || isolation.memoryLimit,
    autoStart: workspace.autoStart,
    healthCheck,
    ...(isRouted ? { pullTimeoutMs: 'image' } : !asksMore && { pullTimeoutMs }),
    remake: asked.remake ?? 0,
    order: asked.order ?? 'start-first',
    isolation: {
      // One that belongs to nobody shares with nobody.
      ownerId: workspace.created_by || workspace.id,
      pidsLimit: isolation.pidsLimit,
      allowNewPrivileges: isolation.allowNewPrivileges,
      keepNetRaw: isolation.keepNetRaw,
    },
    mounts,
    networks: workspace.networks.toSorted(),
    aliases: [toAlias(workspace.name), workspace.id.toLowerCase()].filter((alias) => alias !== ''),
    routes,
    routedBy: isRouted ? routedBy : '',
  };
}

const ROUTED_BY = { none: '', traefikDockerProvider: 'labels', traefikFileProvider: 'files' } as const;

function mountsOf({ volumes, volumePaths }: SpecWorkspace): MountSpec[] {
  const mounts = volumes.map((volumeId) => {
    const { path = '', readOnly = false } = volumePaths?.[volumeId] ?? {};
    return { volumeId, path: plainPath(path), readOnly };
  });
  return mounts.toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

const ALIAS_MAX_CHARS = 63;

/** What others on its networks call a workspace: its name as a host name; empty when nothing of it can be one. */
export function toAlias(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, ALIAS_MAX_CHARS)
    .replace(/^-+|-+$/g, '');
}

function keepOpen(ports: PortSpec[], had: readonly PortSpec[]): PortSpec[] {
  const given = new Set(ports.map(({ hostPort }) => hostPort));
  return ports.map((port) => {
    if (port.hostPort !== 0) return port;
    const { containerPort, protocol, hostIp } = port;
    const same = had.find(
      (each) => each.containerPort === containerPort && each.protocol === protocol && each.hostIp === hostIp,
    );
    return same && !given.has(same.hostPort) ? { ...port, hostPort: same.hostPort } : port;
  });
}

/** Engines bind to addresses only, so the one name that may be given is spelled out. */
function toPortSpec({ containerPort, protocol, hostPort, hostIp }: PortSpec): PortSpec {
  return { containerPort, protocol, hostPort, hostIp: hostIp === 'localhost' ? '127.0.0.1' : hostIp };
}

function hasGpus(gpus: GpuRequest): gpus is NonNullable<GpuRequest> {
  if (!gpus) return false;
  return 'uuids' in gpus ? gpus.uuids.length > 0 : gpus.count > 0;
}

function toHealthSpec(check: HealthCheck): WorkspaceSpec['healthCheck'] {
  if (!check || check.command.trim() === '') return null;
  const { command, intervalSeconds, timeoutSeconds, retries, startSeconds } = check;
  return {
    command,
    intervalMs: Math.round(intervalSeconds * 1000),
    timeoutMs: Math.round(timeoutSeconds * 1000),
    retries,
    startMs: Math.round(startSeconds * 1000),
  };
}

function commandOf(workspace: SpecWorkspace): string[] | null {
  const words = splitShellWords(workspace.command) ?? [workspace.command];
  const all = [...words, ...(workspace.arguments ?? [])];
  return all.length > 0 ? all : null;
}

/** The parts of a spec that a user sets, by the workspace's field. `image` says which build is meant. */
const comparedParts = {
  name: (spec) => spec.name,
  image: ({ image: { reference, id } }) => ({ reference, id }),
  command: (spec) => spec.command,
  environmentVariables: (spec) => spec.environment,
  portMappings: (spec) => spec.ports,
  runtime: (spec) => spec.runtime,
  gpus: (spec) => spec.gpus,
  shmSize: (spec) => spec.shmSizeBytes,
  cpuLimit: (spec) => spec.cpuLimit,
  memoryLimit: (spec) => spec.memoryLimitBytes,
  autoStart: (spec) => spec.autoStart,
  // Older consoles stored specs without them.
  volumes: (spec) => spec.mounts ?? [],
  networks: (spec) => spec.networks ?? [],
  // Specs of before the field was known say nothing of it.
  healthCheck: (spec) => spec.healthCheck ?? null,
  externalUrls: (spec) => (spec.routes ?? []).map((route) => ({ ...route, by: spec.routedBy })),
} satisfies Record<string, (spec: StoredWorkspaceSpec) => unknown>;

/** What a user sets of a spec, by the workspace's field, as `compareWorkspaceSpecs` names it. */
export function settingsOf(spec: StoredWorkspaceSpec): { field: string; value: unknown }[] {
  return Object.entries(comparedParts).map(([field, read]) => ({ field, value: read(spec) }));
}

/**
 * Parts of a spec that are not compared: the console's own counts, the asked state, how long a pull may take, how one container
 * takes another's place, what the host keeps every container from, what only follows from the name, and how the reverse proxy
 * hears of routes, which is told with them.
 */
export const uncomparedParts = [
  'generation',
  'attempt',
  'state',
  'pullTimeoutMs',
  'remake',
  'order',
  'isolation',
  'aliases',
  'routedBy',
] as const;

/** An engine's id says which build is meant, whatever it is called; a name of the host's own is the next best. */
function isSameImage({ image: from }: StoredWorkspaceSpec, { image: to }: StoredWorkspaceSpec): boolean {
  // What was pulled anew for a deployment stands for its build until there is a newer one.
  if ([from, to].some(({ tag }) => isFreshTag(tag ?? '')))
    return from.reference === to.reference && isOfSameBuild(from, to);
  if (from.id !== '' || to.id !== '') return from.id === to.id;
  return from.reference === to.reference && (!from.tag || !to.tag || from.tag === to.tag);
}

type Named = Pick<StoredWorkspaceSpec['image'], 'tag'>;

function isOfSameBuild(one: Named, other: Named): boolean {
  const [a, b] = [readOwnName(one.tag ?? ''), readOwnName(other.tag ?? '')];
  return a !== undefined && a.repository === b?.repository && a.number === b.number;
}

export interface SpecChange {
  field: string;
  from: unknown;
  to: unknown;
}

/** What differs between two specs, by the workspace's field. Secrets must be open in both. */
export function compareWorkspaceSpecs(from: StoredWorkspaceSpec, to: StoredWorkspaceSpec): SpecChange[] {
  const changes: SpecChange[] = [];
  for (const [field, read] of Object.entries(comparedParts)) {
    const isSame = field === 'image' ? isSameImage(from, to) : JSON.stringify(read(from)) === JSON.stringify(read(to));
    if (!isSame) changes.push({ field, from: read(from), to: read(to) });
  }
  return changes;
}
