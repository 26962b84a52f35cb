import type { output } from 'zod';
import type {
  hostIsolationSchema,
  nvidiaDriverSchema,
  registryAuthsSchema,
  reverseProxySchema,
  traefikSchema,
} from './host-schemas';

type GivenAuth = output<typeof registryAuthsSchema>[number];
type Opening = 'pullRepositories' | 'pullUsers' | 'pushRepositories' | 'pushUsers';
/** An account at a registry; its password is sealed at rest and never returned. Older records say nothing of what is open to others: nothing is. */
export type RegistryAuth = Omit<GivenAuth, Opening> & Partial<Pick<GivenAuth, Opening>>;
export type ReverseProxy = output<typeof reverseProxySchema>;
/** How workspaces of a host get addresses from outside; `none` where it has no reverse proxy for them. */
export function proxyTypeOf(proxy: ReverseProxy | null | undefined): ReverseProxy['type'] {
  return proxy?.isAdded ? proxy.type : 'none';
}

export type NvidiaDriver = output<typeof nvidiaDriverSchema>;
export type TraefikDeployment = output<typeof traefikSchema>;

export type HostIsolation = output<typeof hostIsolationSchema>;

export interface HostGpu {
  uuid: string;
  model: string;
  memoryBytes: number;
  /** Ids of the workspaces that hold the card. */
  usedBy: string[];
}

export interface HostResources {
  cpuCores: number;
  memoryBytes: number;
  diskBytes: number;
  diskFreeBytes: number;
  gpus: HostGpu[];
}

export interface HostTerminalState {
  /** Whether the agent was started to give one; the console can't switch it on. */
  isOn: boolean;
  /** Whether it follows the window's size. */
  canResize: boolean;
  /** Whether it is that of the agent's container, not of the machine. */
  isContained: boolean;
  /** Why there is none though it is on; empty when there is. */
  problem: string;
}

export interface HostEngine {
  kind: 'docker' | 'kubernetes' | 'simulated';
  version: string;
  apiVersion: string;
  buildKit: boolean;
  runtimes: string[];
  /** False when the agent lives but its engine does not answer; `message` then has the engine's words. */
  reachable: boolean;
  message: string;
  /** Whether the agent holds its live link; without it, changes travel at the heartbeat's pace. */
  liveLink: boolean;
  /** Version of the words that the agent speaks; missing where it has not said since there is more than one. */
  protocol?: number;
  /** Folders that bind mounts may lie under; missing where the agent has not said. */
  bindRoots?: string[];
  /** Of a shell on the host itself; missing where the agent is too old to say. */
  terminal?: HostTerminalState;
}

/** Nothing new is begun on a host that has this. */
export interface HostMaintenance {
  /** In words, for everybody who sees the host. */
  reason: string;
  /** Wire date. */
  since: string;
}

export const HOST_ENVIRONMENTS = ['docker', 'kubernetes'] as const;
export const HOST_STATUSES = ['online', 'offline'] as const;

/** A host is called offline when no heartbeat came for this long. */
export function offlineAfterMs(heartbeatIntervalSeconds: number): number {
  return heartbeatIntervalSeconds * 2000 + 20_000;
}
