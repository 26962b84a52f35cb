import type { Readable } from 'node:stream';
import type { RegistryAuthSpec } from '../../lib/protocol/specs/host';
import type { JobSpec } from '../../lib/protocol/specs/job';
import type { PortSpec, WorkspaceSpec } from '../../lib/protocol/specs/workspace';
import type { LogLine, TerminalSize } from '../../lib/protocol/streams';
import type { EngineDisk } from './engine-disk';
import type { EngineInside } from './engine-inside';
import type { EngineProxies, ProxyConnection } from './engine-proxies';
import type { EngineVolumeFiles } from './engine-volume-files';
import type { Terminal } from './terminal';

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
  /** What the engine knows of an image, by reference or id; null when the host doesn't have it. */
  describeImage(image: string): Promise<DescribedImage | null>;
  /** Gives an image of the host another name, or the name another image. */
  tagImage(image: string, tag: string): Promise<void>;
  /** Small files of an image, which is not run for it; in their order. An engine that can't tell answers none. */
  readImageFiles(request: ImageFilesRequest, signal: AbortSignal): Promise<ImageFile[]>;
  /** The names that the host has in a repository, `repository:tag`. */
  listTags(repository: string): Promise<string[]>;
  readonly volumes: EngineResources;
  readonly networks: EngineResources;
  readonly inside: EngineInside;
  /** Left out by an engine that shows nothing of them. */
  readonly volumeFiles?: EngineVolumeFiles;
  /** Left out by an engine that runs none. */
  readonly proxies?: EngineProxies;
  /** Returns the container's id. Nothing is left behind when it throws. */
  createContainer(request: ContainerRequest): Promise<string>;
  /** Puts a container on networks that it is not on. */
  connectContainer(containerId: string, connection: Connection): Promise<void>;
  /**
   * Has a reverse proxy's container reach a container, and changes nothing else of it. Resolves with the address there, empty
   * while the container is down. Throws in words for people where there is no such proxy.
   */
  connectProxy(connection: ProxyConnection): Promise<string>;
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
  pull(reference: string, auths: RegistryAuthSpec[], options: JobOptions & { platform?: string }): Promise<ImageResult>;
  push(reference: string, auths: RegistryAuthSpec[], options: JobOptions): Promise<ImageResult>;
  /** Tries an account at its registry. Left out by an engine that asks none. */
  signIn?(account: RegistryAuthSpec): Promise<void>;
  /** The digest of what a registry has under a name now. Left out by an engine that asks none. */
  findRemoteDigest?(reference: string, account: RegistryAuthSpec | undefined): Promise<string>;
  /** Fine when it is gone; throws a conflict when a container uses it. */
  removeImage(image: string): Promise<void>;
  /** What lies on its disk. Left out by an engine that can't tell. */
  readonly disk?: EngineDisk;
  /** Ends when the container does (`follow`) or at the last line. */
  logs(containerId: string, options: LogOptions, signal: AbortSignal): AsyncIterable<LogLine>;
  /** Runs a command, or a shell that the image has, on a terminal of its own. */
  exec(containerId: string, request: ExecRequest): Promise<Terminal>;
  /** The terminal of the container's own process. */
  attach(containerId: string, size: TerminalSize): Promise<Terminal>;
  /** Ends what a terminal of an agent before this one has left running. Fine when nothing is left. */
  endExec(containerId: string, mark: string): Promise<void>;
  /** What the engine was asked and doesn't answer, in words; empty when all is well. */
  describeHanging(): string;
  /** Gives up every call that has no answer yet. */
  close(): Promise<void>;
}

/** The volumes, or the networks, that the agent makes for records of the console. */
export interface EngineResources {
  /** Ids of the records that this host has one for. */
  list(hostId: string): Promise<string[]>;
  /** Fine when it is there. Throws a conflict when something else has its name. */
  create(resource: ResourceName): Promise<void>;
  /** Fine when it is gone; throws a conflict while a container uses it. */
  remove(resource: ResourceName): Promise<void>;
}

export interface ResourceName {
  hostId: string;
  id: string;
}

export interface OwnedNetwork {
  hostId: string;
  /** Empty for nobody. */
  ownerId: string;
}

export interface Connection {
  hostId: string;
  /** Ids of the networks' records. */
  networks: string[];
  /** Names that others on those networks reach it by. */
  aliases: string[];
}

/** What a container sees at a path: a volume by its record's id, or a folder of the host. */
export type EngineMount = ({ volumeId: string } | { folder: string }) & { path: string; readOnly: boolean };

export interface DescribedImage {
  imageId: string;
  /** Its names, `repository:tag`. */
  tags: string[];
  labels: Record<string, string>;
  /** As in `linux/amd64`. */
  platform: string;
  /** Instructions that run in builds which start from it. */
  triggers: string[];
  /** What registries know it by, `repository@sha256:…`. */
  digests: string[];
}

export interface ImageFilesRequest {
  hostId: string;
  /** Id or reference. */
  image: string;
  /** Absolute. */
  paths: string[];
  /** A larger file is not read. */
  maxBytes: number;
}

/** A file as it is; `problem` says why it was not read, for people. */
export interface ImageFile {
  bytes: Buffer;
  problem: string;
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
  /** Ids of the records whose networks it is on. */
  networks: string[];
  /** On its owner's network, while it runs; empty where it has none. */
  address: string;
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
  mounts: EngineMount[];
  /** Empty for the engine's default. */
  runtime: string;
  /** What a reverse proxy is to read off it. */
  labels?: Record<string, string>;
}

export interface JobOptions {
  log(text: string): void;
  signal: AbortSignal;
}

export interface BuildRequest {
  hostId: string;
  spec: Extract<JobSpec, { job: 'build' }>;
  auths: RegistryAuthSpec[];
  /** Files of the build context besides those that the spec itself holds. */
  files?: BuildFile[];
}

/** A file of a build context: its bytes, or how to read them. */
export interface BuildFile {
  path: string;
  mode: number;
  sizeBytes: number;
  bytes?: Buffer;
  open?(): Readable;
}

export interface ImageResult {
  imageId: string;
  digest: string;
  sizeBytes: number;
  /** What the image says that it listens on. */
  exposedPorts: ExposedPort[];
}

export interface ExposedPort {
  containerPort: number;
  protocol: 'tcp' | 'udp';
}

export interface LogOptions {
  tail: number | null;
  since: string;
  /** Timestamp of the last line to read; the engine may give a few more. All when left out. */
  until?: string;
  follow: boolean;
}

export interface ExecRequest {
  /** For the image's shell; empty for the shell itself. */
  command: string;
  /** The command as words, for an image that has no shell. */
  words: string[];
  user: string;
  workdir: string;
  size: TerminalSize;
}
