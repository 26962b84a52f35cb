import type { AuditOutcome } from '@/lib/vocabulary/audit';
import type { CreationType } from '@/lib/vocabulary/image';
import type { HostEngine, HostResources, RegistryAuth } from '@/lib/vocabulary/host';
import type { DeploymentStep, EnvironmentVariable, GpuRequest, ObservedPort, PortMapping } from '@/lib/vocabulary/workspace';

/** Records as the API answers them to a page: wire names, dates as `YYYY-MM-DD HH:MM:SS.mmmZ`, unset dates as ''. */
export interface BaseRecord {
  id: string;
  collectionName: string;
  created: string;
  updated: string;
  /** What the viewer may do with this record. */
  can?: Record<string, boolean>;
}

export interface UserRecord extends BaseRecord {
  username: string;
  name: string;
  /** Absent when the viewer may not see it. */
  email?: string;
  emailVisibility: boolean;
  avatar: string;
  verified: boolean;
  /** Absent, as the language is, when it is not the viewer's own and the viewer is no admin. */
  isAdmin: boolean;
  language?: string;
  enabled?: boolean;
}

export interface HostRecord extends BaseRecord {
  name: string;
  enabled: boolean;
  created_by: string;
  environment: string;
  default_runtime: string;
  default_gpu_runtime: string;
  registry_auths: RegistryAuth[] | null;
  heartbeat_interval_seconds: number;
  reconciliation_interval_seconds: number;
  pull_timeout: number;
  push_timeout: number;
  build_timeout: number;
  os: string;
  platform: string;
  resources: HostResources | null;
  engine: HostEngine | null;
  agentVersion: string;
  status: string;
  statusMessage: string;
  lastHeartbeat: string;
  expand?: { created_by?: UserRecord };
}

export interface ImageRecord extends BaseRecord {
  name: string;
  description: string;
  template: boolean;
  enabled: boolean;
  created_by: string;
  build_on: string;
  creationType: CreationType;
  dockerfile: string;
  dockerImageName: string;
  repository: string;
  tag: string;
  force_pull_base: boolean;
  push_after_build: boolean;
  external: boolean;
  status: string;
  statusMessage: string;
  imageId: string;
  sizeBytes: number;
  buildNumber: number;
  expand?: { created_by?: UserRecord; build_on?: HostRecord };
}

export interface BuildRecord extends BaseRecord {
  image: string;
  host: string;
  created_by: string;
  number: number;
  kind: string;
  status: string;
  statusMessage: string;
  queuePlace: number;
  started: string;
  finished: string;
  imageId: string;
  digest: string;
  sizeBytes: number;
  cancelRequested: boolean;
  expand?: { created_by?: UserRecord; image?: ImageRecord };
}

export interface WorkspaceRecord extends BaseRecord {
  name: string;
  description: string;
  template: boolean;
  enabled: boolean;
  icon: string;
  created_by: string;
  image: string;
  host: string;
  runtime: string;
  gpus: GpuRequest;
  command: string;
  arguments: string[] | null;
  autoStart: boolean;
  shmSize: number;
  cpuLimit: number;
  memoryLimit: number;
  environmentVariables: EnvironmentVariable[] | null;
  portMappings: PortMapping[] | null;
  desired: string;
  status: string;
  statusMessage: string;
  generation: number;
  observedGeneration: number;
  observedAt: string;
  statusSince: string;
  observedPorts: ObservedPort[] | null;
  containerId: string;
  expand?: { created_by?: UserRecord; image?: ImageRecord; host?: HostRecord };
}

export interface DeploymentRecord extends BaseRecord {
  workspace: string;
  host: string;
  created_by: string;
  number: number;
  generation: number;
  action: string;
  status: string;
  statusMessage: string;
  steps: DeploymentStep[] | null;
  finished: string;
  expand?: { created_by?: UserRecord; workspace?: WorkspaceRecord };
}

/** One permission: a user, the resource under its own name, and one boolean per flag. */
export interface PermissionRecord extends BaseRecord {
  user: string;
  expand?: { user?: UserRecord; [field: string]: unknown };
  [field: string]: unknown;
}

/** One setting of the installation; secrets in its value come as empty texts. */
export interface SettingRecord extends BaseRecord {
  key: string;
  value: unknown;
}

export interface AuditRecord extends BaseRecord {
  user: string;
  userName: string;
  action: string;
  outcome: AuditOutcome;
  collection: string;
  record: string;
  recordName: string;
  address: string;
  userAgent: string;
  via: string;
  details: Record<string, unknown>;
}

export interface Collections {
  users: UserRecord;
  hosts: HostRecord;
  images: ImageRecord;
  workspaces: WorkspaceRecord;
  builds: BuildRecord;
  deployments: DeploymentRecord;
  host_permissions: PermissionRecord;
  image_permissions: PermissionRecord;
  workspace_permissions: PermissionRecord;
  settings: SettingRecord;
  workspace_login_permissions: PermissionRecord;
  volume_permissions: PermissionRecord;
  network_permissions: PermissionRecord;
  domain_permissions: PermissionRecord;
  file_permissions: PermissionRecord;
  audit: AuditRecord;
}
export type CollectionName = keyof Collections;

/** Who is signed in. */
export interface Viewer {
  id: string;
  username: string;
  name: string;
  email: string;
  avatar: string;
  isAdmin: boolean;
}
