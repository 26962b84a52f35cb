/** Shapes of a workspace's JSON fields. */
export interface EnvironmentVariable {
  name: string;
  /** Sealed at rest when `secret`, and then never returned. */
  value: string;
  secret: boolean;
}

/** A port or a range such as "10-20", each 0-65535. Host port "" or 0 leaves the choice to the host. */
export interface PortMapping {
  containerPort: number | string;
  protocol: 'tcp' | 'udp';
  hostPort: number | string;
  hostIp: string;
}

/** Where a workspace sees each of its volumes, by the volume's id. */
export type VolumePaths = Record<string, { path: string; readOnly: boolean }>;

export const URL_AUTHENTICATIONS = ['none', 'basic', 'internal'] as const;

/** An address under which a workspace's port is reached from outside. */
export interface ExternalUrl {
  scheme: 'http' | 'https';
  subdomain: string;
  /** Id of the domain. */
  domain: string;
  port: number;
  authentication: (typeof URL_AUTHENTICATIONS)[number];
  /** Who may enter where `authentication` is basic; passwords are sealed at rest and never returned. */
  users: { username: string; password: string }[];
}

/** Which cards a workspace holds: given ones by uuid, or so many of any. Null is none. */
export type GpuRequest = { uuids: string[] } | { count: number } | null;

export interface ObservedPort {
  containerPort: number;
  protocol: 'tcp' | 'udp';
  hostPort: number;
  hostIp: string;
}

export const DEPLOYMENT_STEP_KEYS = [
  'asked',
  'queued',
  'image',
  'create',
  'start',
  'health',
  'stop',
  'remove',
  'restore',
] as const;
export type DeploymentStepKey = (typeof DEPLOYMENT_STEP_KEYS)[number];

/** One step of a deployment's timeline; dates in wire form, stamped by the console. */
export interface DeploymentStep {
  key: DeploymentStepKey;
  status: 'running' | 'done' | 'failed';
  message: string;
  startedAt: string;
  endedAt: string;
}
