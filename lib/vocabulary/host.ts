import type { output } from 'zod';
import type { nvidiaDriverSchema, registryAuthsSchema, reverseProxySchema, traefikSchema } from './host-schemas';

/** An account at a registry; its password is sealed at rest and never returned. */
export type RegistryAuth = output<typeof registryAuthsSchema>[number];
export type ReverseProxy = output<typeof reverseProxySchema>;
export type NvidiaDriver = output<typeof nvidiaDriverSchema>;
export type TraefikDeployment = output<typeof traefikSchema>;

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
}

export const HOST_ENVIRONMENTS = ['docker', 'kubernetes'] as const;
export const HOST_STATUSES = ['online', 'offline'] as const;

/** A host is called offline when no heartbeat came for this long. */
export function offlineAfterMs(heartbeatIntervalSeconds: number): number {
  return heartbeatIntervalSeconds * 2000 + 20_000;
}
