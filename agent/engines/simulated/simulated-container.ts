import { EventEmitter, once } from 'node:events';
import type { PortSpec } from '../../../lib/protocol/specs/workspace';
import type { LogLine } from '../../../lib/protocol/streams';
import { EngineError } from '../engine-error';
import type { ContainerLimits, ContainerRequest, ContainerState, LogOptions, ObservedContainer } from '../engine';

const LOG_LINES_MAX = 10_000;

export interface NewContainer {
  containerId: string;
  number: number;
  imageId: string;
  request: ContainerRequest;
}

/** A container of the simulated engine. */
export class SimulatedContainer {
  readonly containerId: string;
  readonly name: string;
  readonly hostId: string;
  readonly workspaceId: string;
  readonly imageId: string;
  state: ContainerState = 'created';
  health: ObservedContainer['health'] = 'none';
  healthMessage = '';
  limits: ContainerLimits;
  ports: PortSpec[] = [];
  private networks: string[];
  private exitCode = 0;
  private readonly number: number;
  private readonly request: ContainerRequest;
  private readonly lines: LogLine[] = [];
  private readonly news = new EventEmitter().setMaxListeners(0);

  constructor({ containerId, number, imageId, request }: NewContainer) {
    this.containerId = containerId;
    this.number = number;
    this.imageId = imageId;
    this.request = request;
    this.name = request.name;
    this.hostId = request.hostId;
    this.workspaceId = request.workspaceId;
    this.networks = [...request.spec.networks];
    const { cpuLimit, memoryLimitBytes, autoStart } = request.spec;
    this.limits = { cpuLimit, memoryLimitBytes, autoStart };
  }

  connect(networks: string[]): void {
    this.networks = [...new Set([...this.networks, ...networks])];
  }

  /** Whether it is on the network, or mounts the volume, of the record. */
  uses(id: string): boolean {
    return (
      this.networks.includes(id) || this.request.mounts.some((mount) => 'volumeId' in mount && mount.volumeId === id)
    );
  }

  /** Throws as the engine does when a port is taken by one that runs. */
  requirePorts(all: Iterable<SimulatedContainer>): void {
    for (const other of all) {
      if (other === this || other.state !== 'running') continue;
      const port = this.fixedPorts().find((wanted) => other.ports.some((taken) => taken.hostPort === wanted));
      if (port === undefined) continue;
      const words = `Bind for 0.0.0.0:${port} failed: port is already allocated.`;
      throw new EngineError('conflict', `${words} Choose another host port, or stop what uses this one.`);
    }
  }

  private fixedPorts(): number[] {
    return this.request.spec.ports.map((port) => port.hostPort).filter((port) => port !== 0);
  }

  start(choosePort: () => number): void {
    this.state = 'running';
    this.ports = this.request.spec.ports.map((port) => ({ ...port, hostPort: port.hostPort || choosePort() }));
    this.print('out', `Simulated engine: ${this.request.spec.name} has started; nothing is really run`);
  }

  end(exitCode: number): void {
    this.print('err', `Simulated engine: ended with code ${exitCode}`);
    this.state = 'exited';
    this.exitCode = exitCode;
    this.ports = [];
    this.news.emit('news');
  }

  print(source: LogLine['s'], text: string): void {
    this.lines.push({ t: timestampOf(Date.now(), this.lines.length), s: source, m: text });
    if (this.lines.length > LOG_LINES_MAX) this.lines.shift();
    this.news.emit('news');
  }

  async *readLogs({ tail, since, follow }: LogOptions, signal: AbortSignal): AsyncGenerator<LogLine> {
    let last = since;
    const wanted = this.lines.filter((line) => line.t > last);
    yield* tail === null ? wanted : wanted.slice(Math.max(0, wanted.length - tail));
    last = this.lines.at(-1)?.t ?? last;
    while (follow && !signal.aborted && this.state === 'running') {
      try {
        await once(this.news, 'news', { signal });
      } catch {
        return;
      }
      const fresh = this.lines.filter((line) => line.t > last);
      last = this.lines.at(-1)?.t ?? last;
      yield* fresh;
    }
  }

  toObserved(): ObservedContainer {
    const { containerId, name, workspaceId, imageId, state, health, healthMessage, exitCode } = this;
    return {
      containerId,
      name,
      workspaceId,
      generation: this.request.spec.generation,
      specHash: this.request.specHash,
      imageId,
      state,
      health,
      healthMessage,
      healthPatienceMs: 60_000,
      exitCode,
      outOfMemory: false,
      restarts: 0,
      createdAt: String(this.number).padStart(12, '0'),
      limits: { ...this.limits },
      ports: this.ports.map((port) => ({ ...port })),
      networks: [...this.networks],
      address: state === 'running' ? '127.0.0.1' : '',
    };
  }
}

/** As Docker writes them, nanoseconds included; the line's number keeps equal milliseconds apart. */
function timestampOf(ms: number, line: number): string {
  return new Date(ms).toISOString().replace('Z', `${String(line % 1_000_000).padStart(6, '0')}Z`);
}
