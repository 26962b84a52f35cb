/** Shapes of a host's JSON fields. */
export interface RegistryAuth {
  serveraddress: string;
  username: string;
  /** Sealed at rest, never returned. */
  password: string;
}

export interface ReverseProxy {
  isAdded: boolean;
  type: 'none' | 'traefikDockerProvider' | 'traefikFileProvider';
  containerName: string;
  entryPoint: string;
  certResolver: string;
  configFileLocation: string;
}

export interface NvidiaDriver {
  isAdded: boolean;
  deploy: boolean;
  toolkitVersion: string;
  driverVersion: string;
}

export interface TraefikDeployment {
  isAdded: boolean;
  deploy: boolean;
  image: string;
  containerName: string;
  networkName: string;
  ports: { containerPort: number; hostPort: number; protocol: 'tcp' | 'udp' }[];
  /** TOML. */
  config: string;
  configFileLocation: string;
}

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
}

export const HOST_ENVIRONMENTS = ['docker', 'kubernetes'] as const;
export const HOST_STATUSES = ['online', 'offline'] as const;

/** A host is called offline when no heartbeat came for this long. */
export function offlineAfterMs(heartbeatIntervalSeconds: number): number {
  return heartbeatIntervalSeconds * 2000 + 20_000;
}
