import type { RegistryAuthSpec } from '../../lib/protocol/specs/host';
import type { JobSpec } from '../../lib/protocol/specs/job';
import type { PortSpec, WorkspaceSpec } from '../../lib/protocol/specs/workspace';
import type { LogLine } from '../../lib/protocol/streams';

/** What runs containers on a host. Every call may throw an EngineError that carries the engine's own words. */
export interface Engine {
  readonly kind: 'docker' | 'kubernetes' | 'simulated';
  info(): Promise<EngineInfo>;
  /** Every container that carries this host's label. */
  observe(hostId: string): Promise<ObservedContainer[]>;
  /**
   * Calls `onReady` once subscribed and `onEvent` for each thing that happens to this host's containers. Resolves when
   * the signal aborts; rejects when the engine goes away.
   */
  watch(hostId: string, handlers: WatchHandlers, signal: AbortSignal): Promise<void>;
  /** The image's id, or null when the host doesn't have it. */
  findImage(reference: string): Promise<string | null>;
  /** Returns the container's id. Nothing is left behind when it throws. */
  createContainer(request: ContainerRequest): Promise<string>;
  /** Fine when it runs already; continues a paused one. */
  startContainer(containerId: string): Promise<void>;
  /** Fine when it is down already or gone. */
  stopContainer(containerId: string): Promise<void>;
  /** Stops it first if need be. Fine when it is gone. */
  removeContainer(containerId: string): Promise<void>;
  updateContainer(containerId: string, limits: ContainerLimits): Promise<void>;
  /** One container, read anew, or null when it is gone. */
  inspectContainer(containerId: string): Promise<ObservedContainer | null>;
  /** Rejects with an EngineError of kind `cancelled` once an aborted build has really stopped. */
  build(request: BuildRequest, options: JobOptions): Promise<ImageResult>;
  pull(reference: string, auths: RegistryAuthSpec[], options: JobOptions): Promise<ImageResult>;
  push(reference: string, auths: RegistryAuthSpec[], options: JobOptions): Promise<ImageResult>;
  /** Fine when it is gone; throws a conflict when a container uses it. */
  removeImage(image: string): Promise<void>;
  /** Ends when the container does (`follow`) or at the last line. */
  logs(containerId: string, options: LogOptions, signal: AbortSignal): AsyncIterable<LogLine>;
  /** What the engine was asked and doesn't answer, in words; empty when all is well. */
  describeHanging(): string;
  /** Gives up every call that has no answer yet. */
  close(): Promise<void>;
}

export interface EngineInfo {
  version: string;
  apiVersion: string;
  os: string;
  /** As in `linux/amd64`. */
  platform: string;
  cpuCores: number;
  memoryBytes: number;
  /** Folder whose disk holds images and containers; empty when the agent can't tell. */
  dataRoot: string;
  defaultRuntime: string;
  runtimes: string[];
  canBuild: boolean;
  hasBuildKit: boolean;
  /** Where containers' output goes unless they say otherwise. */
  logDriver: string;
}

/** `unread` when the engine lists the container and doesn't answer about it: nothing else of it is known for sure. */
export type ContainerState =
  'created' | 'running' | 'paused' | 'restarting' | 'removing' | 'exited' | 'dead' | 'unread';

/** The settings that an engine changes without making the container anew. */
export interface ContainerLimits {
  cpuLimit: number;
  memoryLimitBytes: number;
  autoStart: boolean;
}

export interface ObservedContainer {
  containerId: string;
  name: string;
  workspaceId: string;
  generation: number;
  specHash: string;
  imageId: string;
  state: ContainerState;
  health: 'none' | 'starting' | 'healthy' | 'unhealthy';
  /** Within which the health check should have come to a first answer. */
  healthPatienceMs: number;
  /** What the last failed health check printed. */
  healthMessage: string;
  exitCode: number;
  outOfMemory: boolean;
  /** How often the engine has started it again by itself. */
  restarts: number;
  /** Sorts by age. */
  createdAt: string;
  limits: ContainerLimits;
  ports: PortSpec[];
}

export interface EngineEvent {
  type: 'create' | 'start' | 'kill' | 'die' | 'oom' | 'destroy' | 'health' | 'other';
  containerId: string;
  workspaceId: string;
  exitCode: number | null;
  /** Of a `kill`: the signal that someone sent, as a number. */
  signal: number | null;
}

export interface WatchHandlers {
  onReady(): void;
  onEvent(event: EngineEvent): void;
  /** `describeHanging` has other words than before. */
  onHanging?(): void;
}

export interface ContainerRequest {
  name: string;
  hostId: string;
  workspaceId: string;
  specHash: string;
  /** Image id or reference; it must be on the host. */
  image: string;
  spec: WorkspaceSpec;
  /** Empty for the engine's default. */
  runtime: string;
}

export interface JobOptions {
  log(text: string): void;
  signal: AbortSignal;
}

export interface BuildRequest {
  hostId: string;
  spec: Extract<JobSpec, { job: 'build' }>;
  auths: RegistryAuthSpec[];
}

export interface ImageResult {
  imageId: string;
  digest: string;
  sizeBytes: number;
}

export interface LogOptions {
  tail: number | null;
  since: string;
  follow: boolean;
}
