import type { PortSpec, WorkspaceSpec } from '@/lib/protocol/specs/workspace';
import { imageReference, isInRegistry, type SpecImage } from '@/lib/vocabulary/image-reference';
import { expandPortMappings } from '@/lib/vocabulary/ports';
import { splitShellWords } from './shell-words';
import type { EnvironmentVariable, GpuRequest, PortMapping } from '@/lib/vocabulary/workspace';

/** A workspace's spec as the console keeps it: values of secret variables are sealed. */
export type StoredWorkspaceSpec = Omit<WorkspaceSpec, 'environment'> & { environment: EnvironmentVariable[] };

export interface SpecWorkspace {
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
  environmentVariables: EnvironmentVariable[] | null;
  portMappings: PortMapping[] | null;
}

export interface SpecHost {
  id: string;
  default_runtime: string;
  default_gpu_runtime: string;
  pull_timeout: number;
}

/**
 * What the host is asked to run for a workspace, from its record as it is. Pure; generation and attempt are the caller's.
 * A command that can't be split is passed as one word: the schema refuses it before.
 */
export function buildWorkspaceSpec(
  workspace: SpecWorkspace,
  image: SpecImage,
  host: SpecHost,
  asked: { generation: number; attempt: number },
): StoredWorkspaceSpec {
  return {
    name: workspace.name,
    generation: asked.generation,
    attempt: asked.attempt,
    state: 'running',
    image: {
      reference: imageReference(image),
      // Another host's engine may know the same image by another id.
      id: image.build_on === host.id ? image.imageId : '',
      pull: isInRegistry(image),
    },
    command: commandOf(workspace),
    environment: (workspace.environmentVariables ?? []).map(({ name, value, secret }) => ({ name, value, secret })),
    ports: expandPortMappings(workspace.portMappings ?? []).map(toPortSpec),
    runtime: workspace.runtime || (hasGpus(workspace.gpus) ? host.default_gpu_runtime : host.default_runtime),
    gpus: hasGpus(workspace.gpus) ? workspace.gpus : null,
    shmSizeBytes: workspace.shmSize,
    cpuLimit: workspace.cpuLimit,
    memoryLimitBytes: workspace.memoryLimit,
    autoStart: workspace.autoStart,
    pullTimeoutMs: host.pull_timeout * 1000,
  };
}

/** Engines bind to addresses only, so the one name that may be given is spelled out. */
function toPortSpec({ containerPort, protocol, hostPort, hostIp }: PortSpec): PortSpec {
  return { containerPort, protocol, hostPort, hostIp: hostIp === 'localhost' ? '127.0.0.1' : hostIp };
}

function hasGpus(gpus: GpuRequest): gpus is NonNullable<GpuRequest> {
  if (!gpus) return false;
  return 'uuids' in gpus ? gpus.uuids.length > 0 : gpus.count > 0;
}

function commandOf(workspace: SpecWorkspace): string[] | null {
  const words = splitShellWords(workspace.command) ?? [workspace.command];
  const all = [...words, ...(workspace.arguments ?? [])];
  return all.length > 0 ? all : null;
}

/** The parts of a spec that a user sets, by the workspace's field. `image` says which build is meant. */
const comparedParts = {
  name: (spec) => spec.name,
  image: (spec) => spec.image,
  command: (spec) => spec.command,
  environmentVariables: (spec) => spec.environment,
  portMappings: (spec) => spec.ports,
  runtime: (spec) => spec.runtime,
  gpus: (spec) => spec.gpus,
  shmSize: (spec) => spec.shmSizeBytes,
  cpuLimit: (spec) => spec.cpuLimit,
  memoryLimit: (spec) => spec.memoryLimitBytes,
  autoStart: (spec) => spec.autoStart,
} satisfies Record<string, (spec: StoredWorkspaceSpec) => unknown>;

/** Parts of a spec that are not compared: the console's own count, the asked state, and how long a pull may take. */
export const uncomparedParts = ['generation', 'attempt', 'state', 'pullTimeoutMs'] as const;

export interface SpecChange {
  field: string;
  from: unknown;
  to: unknown;
}

/** What differs between two specs, by the workspace's field. Secrets must be open in both. */
export function compareWorkspaceSpecs(from: StoredWorkspaceSpec, to: StoredWorkspaceSpec): SpecChange[] {
  const changes: SpecChange[] = [];
  for (const [field, read] of Object.entries(comparedParts)) {
    if (JSON.stringify(read(from)) !== JSON.stringify(read(to)))
      changes.push({ field, from: read(from), to: read(to) });
  }
  return changes;
}
