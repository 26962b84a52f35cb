import type { output } from 'zod';
import type {
  environmentVariablesSchema,
  externalUrlsSchema,
  gpusSchema,
  portMappingsSchema,
  volumePathsSchema,
} from './workspace-schemas';

/** A variable's value is sealed at rest when `secret`, and then never returned. */
export type EnvironmentVariable = output<typeof environmentVariablesSchema>[number];

/** A port or a range such as "10-20", each 0-65535. Host port "" or 0 leaves the choice to the host. */
export type PortMapping = output<typeof portMappingsSchema>[number];

/** Where a workspace sees each of its volumes, by the volume's id. */
export type VolumePaths = output<typeof volumePathsSchema>;

export const URL_AUTHENTICATIONS = ['none', 'basic', 'internal'] as const;

/** An address under which a workspace's port is reached from outside; passwords of its users are sealed at rest and never returned. */
export type ExternalUrl = output<typeof externalUrlsSchema>[number];

/** Which cards a workspace holds: given ones by uuid, or so many of any. Null is none. */
export type GpuRequest = output<typeof gpusSchema> | null;

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
