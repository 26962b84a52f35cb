import { statfs } from 'node:fs/promises';
import type Docker from 'dockerode';
import type { RegistryAuthSpec } from '../../../lib/protocol/specs/host';
import type { LogLine, TerminalSize } from '../../../lib/protocol/streams';
import type {
  BuildRequest,
  Connection,
  ContainerLimits,
  ContainerRequest,
  DescribedImage,
  Engine,
  EngineInfo,
  ExecRequest,
  ImageFile,
  ImageFilesRequest,
  ImageResult,
  JobOptions,
  LogOptions,
  ObservedContainer,
  WatchHandlers,
} from '../engine';
import type { Terminal } from '../terminal';
import type { ProxyConnection } from '../engine-proxies';
import { attachTerminal } from './docker-attach';
import { ContainerCache } from './container-cache';
import * as containers from './containers';
import { buildImage } from './docker-build';
import { createDockerClient, type DockerAddress } from './docker-client';
import { DockerDisk } from './docker-disk';
import { findRemoteDigest, signIn } from './sign-in';
import { toEngineError, withFullDisk } from './docker-errors';
import { watchContainers } from './docker-events';
import * as images from './docker-images';
import { readImageFiles } from './image-files';
import { readEngineInfo } from './docker-info';
import { readLogs } from './docker-logs';
import { Bridges } from './bridges';
import * as connections from './connections';
import { endProcesses, execTerminal } from './docker-terminals';
import { USUAL_POOL } from './free-subnet';
import { OwnerNetworks } from './owner-networks';
import { DockerProxies } from './proxies';
import { isProxyNetwork } from '../../routes/proxy-network';
import { ProxyNetworks } from './proxy-networks';
import { DockerNetworks, DockerVolumes } from './resources';
import { DockerVolumeFiles } from './volumes/docker-volume-files';
import { ArchiveHolds } from './inside/archive-holds';
import { DockerInside } from './inside/docker-inside';
import { EngineCalls, type EnginePatience, USUAL_PATIENCE } from './engine-calls';

const FULL_BELOW_BYTES = 16 * 1024 ** 2;

/** False where the agent doesn't see the engine's disk. */
async function isFull(folder: string): Promise<boolean> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize < FULL_BELOW_BYTES;
  } catch {
    return false;
  }
}

/** The Docker engine behind its API, from 20.10 (API 1.41) on. */
export class DockerEngine implements Engine {
  readonly kind = 'docker';
  private readonly docker: Docker;
  private readonly calls: EngineCalls;
  private readonly cache: ContainerCache;
  readonly volumes: DockerVolumes;
  readonly networks: DockerNetworks;
  readonly inside: DockerInside;
  readonly volumeFiles: DockerVolumeFiles;
  readonly disk: DockerDisk;
  readonly proxies: DockerProxies;
  private readonly holds = new ArchiveHolds();
  private readonly ownerNetworks: OwnerNetworks;
  private readonly proxyNetworks: ProxyNetworks;
  private lastInfo: EngineInfo | undefined;

  constructor(
    { networkPool = USUAL_POOL, ...address }: DockerAddress & { networkPool?: string | undefined },
    private readonly patience: EnginePatience = USUAL_PATIENCE,
  ) {
    this.docker = createDockerClient(address);
    this.calls = new EngineCalls(this.docker, patience);
    const bridges = new Bridges(this.docker, networkPool);
    this.ownerNetworks = new OwnerNetworks(this.docker, bridges);
    this.proxyNetworks = new ProxyNetworks(this.docker, bridges);
    this.networks = new DockerNetworks(this.docker, bridges);
    this.volumes = new DockerVolumes(this.docker, (volume) => this.volumeFiles.release(volume));
    this.volumeFiles = new DockerVolumeFiles(this.docker, (volume) => this.volumes.requireThere(volume));
    this.proxies = new DockerProxies(this.docker, {
      bridges,
      dockerHost: address.dockerHost,
      logDriver: async () => (this.lastInfo ?? (await this.info())).logDriver,
    });
    this.inside = new DockerInside(this.docker, this.holds);
    this.disk = new DockerDisk(this.docker);
    this.cache = new ContainerCache(this.docker, {
      patienceMs: patience.remark,
      onRead: (containerId) => this.holds.giveWay(containerId),
    });
  }

  async info(): Promise<EngineInfo> {
    this.lastInfo = await readEngineInfo(this.docker);
    return this.lastInfo;
  }

  observe(hostId: string): Promise<ObservedContainer[]> {
    return this.cache.list(hostId);
  }

  watch(hostId: string, handlers: WatchHandlers, signal: AbortSignal): Promise<void> {
    const onReady = (): void => {
      this.cache.forgetAll();
      // What is in the way of it now goes with the next connection to the engine.
      this.ownerNetworks.sweep(hostId).catch(() => undefined);
      this.proxyNetworks.sweep(hostId).catch(() => undefined);
      handlers.onReady();
    };
    const onEvent: WatchHandlers['onEvent'] = (event) => {
      this.cache.forget(event.containerId);
      handlers.onEvent(event);
    };
    this.calls.onRemark = () => handlers.onHanging?.();
    return watchContainers(this.docker, { hostId, handlers: { onReady, onEvent }, signal });
  }

  findImage(reference: string): Promise<string | null> {
    return images.findImage(this.docker, reference);
  }

  describeImage(image: string): Promise<DescribedImage | null> {
    return images.inspectImage(this.docker, image);
  }

  tagImage(image: string, tag: string): Promise<void> {
    return images.tagImage(this.docker, image, tag);
  }

  readImageFiles(request: ImageFilesRequest, signal: AbortSignal): Promise<ImageFile[]> {
    return readImageFiles(this.docker, request, signal);
  }

  listTags(repository: string): Promise<string[]> {
    return images.listTags(this.docker, repository);
  }

  async createContainer(request: ContainerRequest): Promise<string> {
    const { defaultRuntime, logDriver } = this.lastInfo ?? (await this.info());
    const runtime = request.runtime === defaultRuntime ? '' : request.runtime;
    const imageLabels = (await images.inspectImage(this.docker, request.image))?.labels ?? {};
    const { hostId, mounts, spec } = request;
    for (const mount of mounts) {
      if ('volumeId' in mount) await this.volumes.requireThere({ hostId, id: mount.volumeId });
    }
    const create = (network: string): Promise<string> =>
      containers.createContainer(this.docker, { ...request, runtime }, { logDriver, imageLabels, network });
    const { ownerId } = spec.isolation;
    const containerId = await (ownerId === ''
      ? create('')
      : this.ownerNetworks.createWith({ hostId, ownerId }, create));
    try {
      await this.connectContainer(containerId, { hostId, networks: spec.networks, aliases: spec.aliases });
      if (Object.keys(request.labels ?? {}).length > 0)
        await this.proxyNetworks.attach(containerId, { hostId, ownerId });
    } catch (error) {
      await this.removeContainer(containerId).catch(() => undefined);
      throw error;
    }
    return containerId;
  }

  async connectContainer(containerId: string, connection: Connection): Promise<void> {
    await connections.connect(this.docker, containerId, connection);
    this.cache.forget(containerId);
  }

  async connectProxy(connection: ProxyConnection): Promise<string> {
    const address = await this.proxyNetworks.connect(connection);
    this.cache.forget(connection.containerId);
    return address;
  }

  async startContainer(containerId: string): Promise<void> {
    this.holds.giveWay(containerId);
    this.cache.forget(containerId);
    try {
      await containers.startContainer(this.docker, containerId);
    } catch (error) {
      if (!(await connections.renew(this.docker, containerId, error))) throw error;
      await containers.startContainer(this.docker, containerId);
    }
    this.cache.forget(containerId);
  }

  async stopContainer(containerId: string): Promise<void> {
    this.holds.giveWay(containerId);
    await containers.stopContainer(this.docker, containerId);
    this.cache.forget(containerId);
  }

  async removeContainer(containerId: string): Promise<void> {
    this.holds.giveWay(containerId);
    const networks = await containers.readNetworks(this.docker, containerId);
    await containers.removeContainer(this.docker, containerId);
    this.cache.forget(containerId);
    for (const network of networks) {
      // Each lets alone what is the other's, and what is nobody's here.
      if (isProxyNetwork(network)) await this.proxyNetworks.release(network);
      else if (network !== '') await this.ownerNetworks.release(network);
    }
  }

  async updateContainer(containerId: string, limits: ContainerLimits): Promise<void> {
    this.holds.giveWay(containerId);
    await containers.updateContainer(this.docker, containerId, limits);
    this.cache.forget(containerId);
  }

  inspectContainer(containerId: string): Promise<ObservedContainer | null> {
    this.holds.giveWay(containerId);
    return containers.readContainer(this.docker, containerId);
  }

  async build(request: BuildRequest, options: JobOptions): Promise<ImageResult> {
    const { hasBuildKit, dataRoot } = this.lastInfo ?? (await this.info());
    try {
      return await buildImage(
        this.docker,
        { ...request, useBuildKit: hasBuildKit, firstWordMs: this.patience.job },
        options,
      );
    } catch (error) {
      const failure = toEngineError(error);
      if (failure.kind === 'cancelled' || !(await isFull(dataRoot))) throw failure;
      throw withFullDisk(failure);
    }
  }

  pull(
    reference: string,
    auths: RegistryAuthSpec[],
    options: JobOptions & { platform?: string },
  ): Promise<ImageResult> {
    return images.pullImage(this.docker, { reference, auths, options });
  }

  push(reference: string, auths: RegistryAuthSpec[], options: JobOptions): Promise<ImageResult> {
    return images.pushImage(this.docker, { reference, auths, options });
  }

  findRemoteDigest(reference: string, account: RegistryAuthSpec | undefined): Promise<string> {
    return findRemoteDigest(this.docker, reference, account);
  }

  signIn(account: RegistryAuthSpec): Promise<void> {
    return signIn(this.docker, account);
  }

  removeImage(image: string): Promise<void> {
    return images.removeImage(this.docker, image);
  }

  logs(containerId: string, options: LogOptions, signal: AbortSignal): AsyncIterable<LogLine> {
    return readLogs(this.docker, { containerId, options, signal });
  }

  exec(containerId: string, request: ExecRequest): Promise<Terminal> {
    this.holds.giveWay(containerId);
    return execTerminal(this.docker, containerId, request);
  }

  attach(containerId: string, size: TerminalSize): Promise<Terminal> {
    return attachTerminal(this.docker, containerId, size);
  }

  endExec(containerId: string, mark: string): Promise<void> {
    return endProcesses(this.docker, containerId, mark);
  }

  describeHanging(): string {
    return this.calls.describeHanging();
  }

  async close(): Promise<void> {
    await this.volumeFiles.close();
    this.calls.close();
    this.cache.forgetAll();
  }
}
