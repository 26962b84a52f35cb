import { createHash } from 'node:crypto';
import type { LogLine, TerminalSize } from '../../../lib/protocol/streams';
import type {
  BuildRequest,
  Connection,
  ContainerLimits,
  ContainerRequest,
  DescribedImage,
  Engine,
  EngineEvent,
  EngineInfo,
  ExecRequest,
  ImageResult,
  JobOptions,
  LogOptions,
  ObservedContainer,
  WatchHandlers,
} from '../engine';
import type { Terminal } from '../terminal';
import { EngineError } from '../engine-error';
import { readExposedPorts } from '../exposed-ports';
import { waitFor } from '../../wait';
import type { RegistryAuthSpec } from '../../../lib/protocol/specs/host';
import { exposedBy, toImageId, writeBuildLog } from './simulated-build';
import { SimulatedContainer } from './simulated-container';
import { simulatedInfo } from './simulated-info';
import { SimulatedInside } from './simulated-inside';
import type { Operation, SimulatedOptions } from './simulated-options';
import { openSimulatedTerminal } from './simulated-terminal';
import { removeSimulatedImage, SimulatedImages } from './simulated-images';
import { requireResources, SimulatedResources } from './simulated-resources';

const USUAL_DELAY_MS = 5;
const SIGTERM = 15;
const SIGKILL = 9;
const KILLED_EXIT_CODE = 137;
const FIRST_PORT = 32_768;

/** An engine in memory that really runs nothing, for hosts without Docker and for tests, which set its faults. */
export class SimulatedEngine implements Engine {
  readonly kind = 'simulated';
  readonly delaysMs: Partial<Record<Operation, number>>;
  /** The next call of an operation fails with the first of its errors. */
  readonly faults = new Map<Operation, EngineError[]>();
  /** Every call that changed something, in order. */
  readonly calls: string[] = [];
  private readonly containers = new Map<string, SimulatedContainer>();
  readonly volumes = this.makeResources('volume');
  readonly networks = this.makeResources('network');
  readonly inside = new SimulatedInside();
  private readonly images: SimulatedImages;
  private readonly watchers = new Set<{ hostId: string; handlers: WatchHandlers; drop(error: Error): void }>();
  private outage: EngineError | undefined;
  private nextNumber = 1;
  private nextPort = FIRST_PORT;

  constructor({ delaysMs = {}, images = [], imagesFile }: SimulatedOptions = {}) {
    this.images = new SimulatedImages(imagesFile);
    this.delaysMs = delaysMs;
    for (const reference of images) this.addImage(reference);
  }

  info(): Promise<EngineInfo> {
    if (this.outage) return Promise.reject(this.outage);
    return Promise.resolve({ ...simulatedInfo });
  }

  async observe(hostId: string): Promise<ObservedContainer[]> {
    await this.simulate('observe');
    return [...this.containers.values()].filter((item) => item.hostId === hostId).map((item) => item.toObserved());
  }

  watch(hostId: string, handlers: WatchHandlers, signal: AbortSignal): Promise<void> {
    if (this.outage) return Promise.reject(this.outage);
    return new Promise((resolve, reject) => {
      const watcher = { hostId, handlers, drop: reject };
      this.watchers.add(watcher);
      const leave = (): void => {
        this.watchers.delete(watcher);
        resolve();
      };
      if (signal.aborted) return leave();
      signal.addEventListener('abort', leave, { once: true });
      handlers.onReady();
    });
  }

  async findImage(reference: string): Promise<string | null> {
    if (this.outage) throw this.outage;
    if ([...this.images.values()].includes(reference)) return reference;
    return Promise.resolve(this.images.get(reference) ?? null);
  }

  async describeImage(image: string): Promise<DescribedImage | null> {
    const imageId = await this.findImage(image);
    return imageId ? this.images.describe(imageId) : null;
  }

  connectProxy = (): Promise<string> => Promise.resolve('127.0.0.1');
  readImageFiles = (): Promise<[]> => Promise.resolve([]);

  async tagImage(image: string, tag: string): Promise<void> {
    const imageId = await this.findImage(image);
    if (!imageId) throw new EngineError('not-found', `No such image: ${image}`);
    this.images.set(tag, imageId);
  }

  listTags(repository: string): Promise<string[]> {
    return Promise.resolve([...this.images.keys()].filter((name) => name.startsWith(`${repository}:`)));
  }

  async createContainer(request: ContainerRequest): Promise<string> {
    await this.simulate('create');
    const imageId = await this.findImage(request.image);
    if (!imageId) throw new EngineError('not-found', `No such image: ${request.image}`);
    requireResources(request, this);
    const number = this.nextNumber++;
    const containerId = createHash('sha256').update(`${request.name} ${number}`).digest('hex');
    const container = new SimulatedContainer({ containerId, number, imageId, request });
    this.containers.set(containerId, container);
    this.calls.push(`create ${request.name}`);
    this.tell('create', container);
    return containerId;
  }

  connectContainer(containerId: string, { networks }: Connection): Promise<void> {
    this.demand(containerId).connect(networks);
    return Promise.resolve();
  }

  async startContainer(containerId: string): Promise<void> {
    await this.simulate('start');
    const container = this.demand(containerId);
    if (container.state === 'running') return;
    container.requirePorts(this.containers.values());
    container.start(() => this.nextPort++);
    this.calls.push(`start ${container.name}`);
    this.tell('start', container);
  }

  async stopContainer(containerId: string): Promise<void> {
    await this.simulate('stop');
    const container = this.containers.get(containerId);
    if (container?.state !== 'running') return;
    this.calls.push(`stop ${container.name}`);
    this.end(container, { signal: SIGTERM, exitCode: 0 });
  }

  async removeContainer(containerId: string): Promise<void> {
    await this.simulate('remove');
    const container = this.containers.get(containerId);
    if (!container) return;
    this.calls.push(`remove ${container.name}`);
    this.removeByHand(containerId);
  }

  updateContainer(containerId: string, limits: ContainerLimits): Promise<void> {
    const container = this.demand(containerId);
    container.limits = { ...limits };
    this.calls.push(`update ${container.name}`);
    return Promise.resolve();
  }

  inspectContainer(containerId: string): Promise<ObservedContainer | null> {
    if (this.outage) return Promise.reject(this.outage);
    return Promise.resolve(this.containers.get(containerId)?.toObserved() ?? null);
  }

  async build({ spec }: BuildRequest, options: JobOptions): Promise<ImageResult> {
    this.calls.push(`build ${spec.reference}`);
    await writeBuildLog(spec, { ...options, stepMs: this.delaysMs.build ?? USUAL_DELAY_MS });
    await this.simulate('build');
    return this.addImage(spec.reference, spec.dockerfile);
  }

  async pull(reference: string, _auths: RegistryAuthSpec[], options: JobOptions): Promise<ImageResult> {
    this.calls.push(`pull ${reference}`);
    options.log(`Simulated engine: pulling ${reference}\n`);
    await this.simulate('pull', options.signal);
    options.log('Simulated engine: 1 layers done\n');
    return this.addImage(reference);
  }

  async push(reference: string, _auths: RegistryAuthSpec[], options: JobOptions): Promise<ImageResult> {
    options.log(`Simulated engine: pushing ${reference}\n`);
    await this.simulate('push', options.signal);
    return this.addImage(reference);
  }

  removeImage(image: string): Promise<void> {
    return removeSimulatedImage(image, { images: this.images, containers: this.containers.values() });
  }

  async *logs(containerId: string, options: LogOptions, signal: AbortSignal): AsyncGenerator<LogLine> {
    const container = this.demand(containerId);
    yield* container.readLogs(options, signal);
  }

  exec(containerId: string, { command, size }: ExecRequest): Promise<Terminal> {
    return openSimulatedTerminal(this.demand(containerId), { command, size });
  }

  attach(containerId: string, size: TerminalSize): Promise<Terminal> {
    return openSimulatedTerminal(this.demand(containerId), { command: '', size });
  }

  endExec(): Promise<void> {
    return Promise.resolve();
  }

  describeHanging(): string {
    return '';
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  /** Gives a reference an image; other content is another id. */
  addImage(reference: string, content = ''): ImageResult {
    const imageId = toImageId(`${reference} ${content}`);
    this.images.set(reference, imageId);
    const exposedPorts = readExposedPorts(exposedBy(content));
    return { imageId, digest: imageId, sizeBytes: 64 * 1024 ** 2, exposedPorts };
  }

  /** The engine goes away with these words, or comes back. What ran is down after an outage. */
  setOutage(words: string | null): void {
    this.outage = words === null ? undefined : new EngineError('unreachable', words);
    if (!this.outage) return;
    for (const container of this.containers.values())
      if (container.state === 'running') container.end(KILLED_EXIT_CODE);
    for (const watcher of this.watchers) watcher.drop(this.outage);
    this.watchers.clear();
  }

  failNext(operation: Operation, error: EngineError): void {
    this.faults.set(operation, [...(this.faults.get(operation) ?? []), error]);
  }

  /** The container's program ends by itself. */
  exitByItself(containerId: string, exitCode: number): void {
    this.end(this.demand(containerId), { signal: null, exitCode });
  }

  killByHand(containerId: string): void {
    this.end(this.demand(containerId), { signal: SIGKILL, exitCode: KILLED_EXIT_CODE });
  }

  removeByHand(containerId: string): void {
    const container = this.demand(containerId);
    if (container.state === 'running') this.end(container, { signal: SIGKILL, exitCode: KILLED_EXIT_CODE });
    this.containers.delete(containerId);
    this.tell('destroy', container);
  }

  setHealth(containerId: string, health: ObservedContainer['health'], message = ''): void {
    const container = this.demand(containerId);
    container.health = health;
    container.healthMessage = message;
    this.tell('health', container);
  }

  private end(container: SimulatedContainer, { signal, exitCode }: { signal: number | null; exitCode: number }): void {
    if (signal !== null) this.tell('kill', container, { signal });
    container.end(exitCode);
    this.tell('die', container, { exitCode });
  }

  private makeResources(kind: 'volume' | 'network'): SimulatedResources {
    return new SimulatedResources(kind, {
      calls: this.calls,
      isUsed: (id) => [...this.containers.values()].some((container) => container.uses(id)),
      simulate: () => this.simulate('resource'),
    });
  }

  private async simulate(operation: Operation, signal?: AbortSignal): Promise<void> {
    await waitFor(this.delaysMs[operation] ?? USUAL_DELAY_MS, signal);
    if (signal?.aborted) throw new EngineError('cancelled', 'Cancelled');
    if (this.outage) throw this.outage;
    const fault = this.faults.get(operation)?.shift();
    if (fault) throw fault;
  }

  private demand(containerId: string): SimulatedContainer {
    if (this.outage) throw this.outage;
    const container = this.containers.get(containerId);
    if (!container) throw new EngineError('not-found', `No such container: ${containerId}`);
    return container;
  }

  private tell(type: EngineEvent['type'], container: SimulatedContainer, more: Partial<EngineEvent> = {}): void {
    const { containerId, workspaceId, hostId } = container;
    for (const watcher of this.watchers) {
      if (watcher.hostId !== hostId) continue;
      watcher.handlers.onEvent({ type, containerId, workspaceId, exitCode: null, signal: null, ...more });
    }
  }
}
