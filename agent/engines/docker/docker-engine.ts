import { statfs } from 'node:fs/promises';
import type Docker from 'dockerode';
import type { RegistryAuthSpec } from '../../../lib/protocol/specs/host';
import type { LogLine } from '../../../lib/protocol/streams';
import type {
  BuildRequest,
  ContainerLimits,
  ContainerRequest,
  Engine,
  EngineInfo,
  ImageResult,
  JobOptions,
  LogOptions,
  ObservedContainer,
  WatchHandlers,
} from '../engine';
import { ContainerCache } from './container-cache';
import * as containers from './containers';
import { buildImage } from './docker-build';
import { createDockerClient, type DockerAddress } from './docker-client';
import { toEngineError, withFullDisk } from './docker-errors';
import { watchContainers } from './docker-events';
import * as images from './docker-images';
import { readEngineInfo } from './docker-info';
import { readLogs } from './docker-logs';
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
  private lastInfo: EngineInfo | undefined;

  constructor(
    address: DockerAddress,
    private readonly patience: EnginePatience = USUAL_PATIENCE,
  ) {
    this.docker = createDockerClient(address);
    this.calls = new EngineCalls(this.docker, patience);
    this.cache = new ContainerCache(this.docker, patience.remark);
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

  async createContainer(request: ContainerRequest): Promise<string> {
    const { defaultRuntime, logDriver } = this.lastInfo ?? (await this.info());
    const runtime = request.runtime === defaultRuntime ? '' : request.runtime;
    return containers.createContainer(this.docker, { ...request, runtime }, logDriver);
  }

  async startContainer(containerId: string): Promise<void> {
    this.cache.forget(containerId);
    await containers.startContainer(this.docker, containerId);
    this.cache.forget(containerId);
  }

  async stopContainer(containerId: string): Promise<void> {
    await containers.stopContainer(this.docker, containerId);
    this.cache.forget(containerId);
  }

  async removeContainer(containerId: string): Promise<void> {
    await containers.removeContainer(this.docker, containerId);
    this.cache.forget(containerId);
  }

  async updateContainer(containerId: string, limits: ContainerLimits): Promise<void> {
    await containers.updateContainer(this.docker, containerId, limits);
    this.cache.forget(containerId);
  }

  inspectContainer(containerId: string): Promise<ObservedContainer | null> {
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

  pull(reference: string, auths: RegistryAuthSpec[], options: JobOptions): Promise<ImageResult> {
    return images.pullImage(this.docker, { reference, auths, options });
  }

  push(reference: string, auths: RegistryAuthSpec[], options: JobOptions): Promise<ImageResult> {
    return images.pushImage(this.docker, { reference, auths, options });
  }

  removeImage(image: string): Promise<void> {
    return images.removeImage(this.docker, image);
  }

  logs(containerId: string, options: LogOptions, signal: AbortSignal): AsyncIterable<LogLine> {
    return readLogs(this.docker, { containerId, options, signal });
  }

  describeHanging(): string {
    return this.calls.describeHanging();
  }

  close(): Promise<void> {
    this.calls.close();
    this.cache.forgetAll();
    return Promise.resolve();
  }
}
