import type { output } from 'zod';
import type {
  environmentVariablesSchema,
  externalUrlsSchema,
  gpusSchema,
  healthCheckSchema,
  portMappingsSchema,
  portSharesSchema,
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

/** Who may open a port at the console's own address of it, from the fewest to the most. */
export const SHARE_LEVELS = ['owner', 'permitted', 'signedIn', 'public'] as const;
export type ShareLevel = (typeof SHARE_LEVELS)[number];
/** Of ports that say nothing else. */
export const USUAL_SHARE: ShareLevel = 'permitted';

/** A port that says who may open it. One that is public is so until a date, and then as any other. */
export type PortShare = output<typeof portSharesSchema>[number];

/** Who may open a port at that time, in milliseconds since the epoch, and until when that is so: 0 for no end. */
export function shareOf(
  shares: readonly PortShare[] | null,
  port: number,
  atMs: number,
): { level: ShareLevel; untilMs: number } {
  const share = shares?.find((each) => each.port === port);
  if (!share) return { level: USUAL_SHARE, untilMs: 0 };
  if (share.level !== 'public') return { level: share.level, untilMs: 0 };
  const untilMs = Date.parse(share.until);
  return untilMs > atMs ? { level: 'public', untilMs } : { level: USUAL_SHARE, untilMs: 0 };
}

/** Which cards a workspace holds: given ones by uuid, or so many of any. Null is none. */
export type GpuRequest = output<typeof gpusSchema> | null;

/** How the host finds out whether the workspace is well; null leaves it to the image. */
export type HealthCheck = output<typeof healthCheckSchema> | null;

export interface ObservedPort {
  containerPort: number;
  protocol: 'tcp' | 'udp';
  hostPort: number;
  hostIp: string;
  /** The host's, where it has one and the port is bound to all of its interfaces. */
  address?: string;
}

/** The container that a host has for a workspace, as the host told it last. */
export interface ObservedContainer {
  /** The engine's id of the image that it was made from. */
  imageId: string;
  /** The generation that it was made for. */
  generation: number;
  /** Of its last end, while it is down or is started again and again. */
  exitCode: number | null;
  restarts: number;
  lastLines: string[];
}

export const DEPLOYMENT_STEP_KEYS = [
  'asked',
  'queued',
  'image',
  'create',
  'start',
  'up',
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
