import { statfs } from 'node:fs/promises';
import type { HeartbeatRequest, Resources } from '../lib/protocol/calls';
import { spokenHere } from '../lib/protocol/version';
import type { Engine, EngineInfo } from './engines/engine';
import { toMessage } from './engines/engine-error';
import { listGpus } from './gpu';
import type { HostShell } from './shell/host-shell';
import { waitFor } from './wait';

const INFO_PATIENCE_MS = 3000;
/** Before that there is nothing to tell but that nothing is known. */
const FIRST_INFO_PATIENCE_MS = 10_000;

export const AGENT_VERSION = '0.1.0';

interface InventoryOptions {
  engine: Engine;
  hostShell: HostShell;
  stateDir: string;
  bindRoots: readonly string[];
}

type Facts = Pick<
  HeartbeatRequest,
  'versions' | 'engine' | 'capabilities' | 'os' | 'platform' | 'resources' | 'bindRoots' | 'hostTerminal'
>;

/** What the heartbeat says of the host. The last known facts stay while the engine is away. */
export class Inventory {
  private info: EngineInfo | undefined;
  /** Why the engine's facts could not be read last; empty when they could. */
  private failure = 'The engine has not answered yet';
  private reading: Promise<void> | undefined;
  private hasAsked = false;
  private gpus: Resources['gpus'] | undefined;

  constructor(private readonly options: InventoryOptions) {}

  async read(): Promise<Facts> {
    const state = await this.readEngine();
    const simulated = this.options.engine.kind === 'simulated';
    this.gpus ??= simulated ? [] : await listGpus();
    const { info } = this;
    const { engine, bindRoots, hostShell } = this.options;
    return {
      versions: {
        agent: AGENT_VERSION,
        ...spokenHere,
        engine: info?.version ?? '',
        engineApi: info?.apiVersion ?? '',
      },
      engine: { kind: engine.kind, ...state },
      capabilities: {
        build: info?.canBuild ?? false,
        buildKit: info?.hasBuildKit ?? false,
        gpu: this.gpus.length > 0,
        runtimes: info?.runtimes ?? [],
      },
      bindRoots: [...bindRoots],
      hostTerminal: await hostShell.describe(),
      os: info?.os ?? '',
      platform: info?.platform ?? '',
      resources: {
        cpuCores: info?.cpuCores ?? 0,
        memoryBytes: info?.memoryBytes ?? 0,
        ...(await this.readDisk()),
        gpus: this.gpus,
      },
    };
  }

  /** What the host is measured by. */
  measured() {
    return { readDisk: () => this.readDisk(), hasGpus: () => (this.gpus?.length ?? 0) > 0 };
  }

  /** What the engine answers, or what is known when it takes its time: the heartbeat goes on without it. */
  private async readEngine(): Promise<{ reachable: boolean; message: string }> {
    const ended = new AbortController();
    this.reading ??= this.readInfo().finally(() => {
      this.reading = undefined;
    });
    const patienceMs = this.hasAsked ? INFO_PATIENCE_MS : FIRST_INFO_PATIENCE_MS;
    this.hasAsked = true;
    await Promise.race([this.reading.then(() => ended.abort()), waitFor(patienceMs, ended.signal)]);
    const hanging = this.options.engine.describeHanging();
    return this.failure === '' ? { reachable: true, message: hanging } : { reachable: false, message: this.failure };
  }

  private async readInfo(): Promise<void> {
    try {
      this.info = await this.options.engine.info();
      this.failure = '';
    } catch (error) {
      this.failure = toMessage(error);
    }
  }

  /** The engine's disk where the agent sees it, else the disk of its own state. */
  private async readDisk(): Promise<{ diskBytes: number; diskFreeBytes: number }> {
    for (const folder of [this.info?.dataRoot, this.options.stateDir]) {
      if (!folder) continue;
      try {
        const { blocks, bavail, bsize } = await statfs(folder);
        return { diskBytes: blocks * bsize, diskFreeBytes: bavail * bsize };
      } catch {
        // The engine's folder isn't mounted into an agent that runs in a container.
      }
    }
    return { diskBytes: 0, diskFreeBytes: 0 };
  }
}
