import path from 'node:path';
import { z } from 'zod';
import type { HostMetrics, HostMetricSpan } from '../../lib/protocol/measure-streams';
import type { HeartbeatRequest } from '../../lib/protocol/calls';
import type { AgentClock } from '../clock';
import { toMessage } from '../engines/engine-error';
import { readGpuLoads } from '../gpu';
import type { AgentLog } from '../log';
import { StateFile } from '../state-file';
import { waitFor } from '../wait';
import { HOST_SPANS, type HostMeasured, HostSeries, type KeptSeries, rounded } from './host-series';
import { type HostReading, readHost, usageBetween } from './host-usage';

const STEP_MS = HOST_SPANS.recent.step * 1000;
/** What is older is not how the host does now. */
const FRESH_SECONDS = 60;

const measuredSchema = z.object({
  at: z.number(),
  cpu: z.number(),
  memory: z.number(),
  disk: z.number(),
  load: z.number(),
  received: z.number(),
  sent: z.number(),
  gpu: z.number(),
  gpuMemory: z.number(),
});
const keptSchema = z.object({ day: z.array(measuredSchema).max(1000), month: z.array(measuredSchema).max(1000) });

export interface HostSamplerOptions {
  stateDir: string;
  clock: AgentClock;
  /** Whether there are cards to ask for their load. */
  hasGpus(): boolean;
  readDisk(): Promise<{ diskBytes: number; diskFreeBytes: number }>;
  log: AgentLog;
}

/** One that goes on with what was measured before; it is yet to be started. */
export async function openHostSampler(options: HostSamplerOptions): Promise<HostSampler> {
  const sampler = new HostSampler(options);
  await sampler.load((words) => options.log.error({}, words));
  return sampler;
}

/** Measures the host itself at a steady pace. Five minutes and older are on the disk, so that a restart loses none of it. */
export class HostSampler {
  private series = new HostSeries();
  private last: HostReading | undefined;
  private newest: HostMeasured | undefined;
  private size = { cpuCores: 0, memoryBytes: 0, diskBytes: 0 };
  private readonly file: StateFile<KeptSeries>;
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;

  constructor(private readonly options: HostSamplerOptions) {
    this.file = new StateFile(path.join(options.stateDir, 'host-usage.json'), (value) => keptSchema.parse(value));
  }

  /** A damaged file costs what was measured before. */
  async load(onDamaged: (words: string) => void): Promise<void> {
    const kept = await this.file.loadOrSetAside(onDamaged);
    if (kept) this.series = new HostSeries(kept);
  }

  private readonly onError = (error: unknown): void =>
    this.options.log.warn({ error: toMessage(error) }, 'How this host does was not measured');

  start(): void {
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  read(span: HostMetricSpan): HostMetrics {
    const values = this.series.read(span, this.now());
    const column = (field: keyof HostMeasured): number[] => values.map((each) => rounded(field, each[field]));
    const hasGpu = values.some(({ gpu }) => gpu >= 0);
    return {
      stepSeconds: HOST_SPANS[span].step,
      at: column('at'),
      cpu: column('cpu'),
      memory: column('memory'),
      disk: column('disk'),
      load: column('load'),
      received: column('received'),
      sent: column('sent'),
      gpu: hasGpu ? column('gpu') : [],
      gpuMemory: hasGpu ? column('gpuMemory') : [],
      ...this.size,
    };
  }

  /** How the host does now, for the heartbeat; undefined while that is not known. */
  usage(): HeartbeatRequest['usage'] {
    const { newest, size } = this;
    if (!newest || this.now() - newest.at > FRESH_SECONDS || size.cpuCores === 0) return undefined;
    const percent = (used: number, all: number): number => (all > 0 ? Math.round((used / all) * 1000) / 10 : 0);
    return {
      cpu: percent(newest.cpu, size.cpuCores),
      memory: percent(newest.memory, size.memoryBytes),
      load: percent(newest.load, size.cpuCores),
    };
  }

  private now(): number {
    return this.options.clock.now() / 1000;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await this.sample().catch(this.onError);
      await waitFor(STEP_MS, signal);
    }
  }

  private async sample(): Promise<void> {
    const { clock, hasGpus, readDisk } = this.options;
    const [reading, disk, loads] = await Promise.all([
      readHost(clock.now()),
      readDisk(),
      hasGpus() ? readGpuLoads() : [],
    ]);
    const { last } = this;
    this.last = reading;
    this.size = { cpuCores: reading.cores, memoryBytes: reading.memoryAll, diskBytes: disk.diskBytes };
    const diskUsedBytes = disk.diskBytes - disk.diskFreeBytes;
    const measured = last && usageBetween(last, reading, { diskUsedBytes, loads });
    if (!measured) return;
    this.newest = measured;
    if (this.series.push(measured)) this.file.save(this.series.keep()).catch(this.onError);
  }
}
