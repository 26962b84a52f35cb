import type { Metrics, MetricSpan } from '../../lib/protocol/measure-streams';
import type { AgentClock } from '../clock';
import type { Engine } from '../engines/engine';
import type { ContainerMeasure } from '../engines/engine-inside';
import { type GpuLoad, readGpuLoads } from '../gpu';
import { waitFor } from '../wait';
import { type Marks, type Measured, DAY_SECONDS, Series } from './series';

const STEP_SECONDS = 10;
/** Containers that are measured at the same time. */
const AT_ONCE = 4;
/** Of more workspaces nothing is kept. */
const WORKSPACES_MAX = 2000;
/** What was not measured for so long may be in use. */
const FRESH_SECONDS = 120;

export interface SamplerOptions {
  engine: Engine;
  hostId: string;
  clock: AgentClock;
  /** Cards that a workspace was given: their uuids, or how many of the first ones. */
  gpusOf(workspaceId: string): { uuids: string[] } | { count: number } | null;
  stepSeconds?: number;
}

interface Known {
  series: Series;
  /** Of the same container; the difference to it is what was used. */
  last: (ContainerMeasure & { containerId: string }) | undefined;
  seenAt: number;
}

/** Measures what runs on this host at a steady pace, and keeps it in memory for a day. */
export class Sampler {
  private readonly known = new Map<string, Known>();
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;
  private readonly stepSeconds: number;

  constructor(private readonly options: SamplerOptions) {
    this.stepSeconds = options.stepSeconds ?? STEP_SECONDS;
  }

  start(): void {
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  read(workspaceId: string, span: MetricSpan): Metrics {
    const known = this.known.get(workspaceId);
    const values = known?.series.read(span, this.options.clock.now() / 1000) ?? [];
    const column = (field: keyof Measured, digits: number): number[] =>
      values.map((each) => round(each[field], digits));
    const hasGpu = values.length > 0 && values.every(({ gpu }) => gpu >= 0);
    return {
      stepSeconds: span === 'recent' ? this.stepSeconds : 60,
      at: column('at', 0),
      cpu: column('cpu', 4),
      memory: column('memory', 0),
      received: column('received', 0),
      sent: column('sent', 0),
      gpu: hasGpu ? column('gpu', 3) : [],
      gpuMemory: hasGpu ? column('gpuMemory', 0) : [],
      memoryLimit: known?.last?.memoryLimit ?? 0,
    };
  }

  /** Seconds for which each workspace that is measured was not in use, as far as that is measured without a gap. */
  readQuiet(marks: Marks): { id: string; seconds: number }[] {
    const now = this.options.clock.now() / 1000;
    const current = [...this.known].filter(([, { seenAt }]) => now - seenAt <= FRESH_SECONDS);
    return current.map(([id, { series }]) => ({ id, seconds: Math.max(0, now - (series.quietSince(marks) ?? now)) }));
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      // An engine that is away is measured again when it is back.
      await this.sample().catch(() => undefined);
      await waitFor(this.stepSeconds * 1000, signal);
    }
  }

  private async sample(): Promise<void> {
    const { engine, hostId, clock, gpusOf } = this.options;
    const running = (await engine.observe(hostId)).filter(({ state }) => state === 'running');
    const hasCards = running.some(({ workspaceId }) => gpusOf(workspaceId) !== null);
    const loads = hasCards ? await readGpuLoads() : [];
    const waiting = [...new Map(running.map((container) => [container.workspaceId, container])).values()];
    const work = async (): Promise<void> => {
      for (let each = waiting.shift(); each; each = waiting.shift()) {
        if (this.stopping.signal.aborted) return;
        const measure = await engine.inside.measure(each.containerId).catch(() => null);
        if (measure) this.take(each, measure, loads);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    const oldest = clock.now() / 1000 - DAY_SECONDS;
    for (const [id, { seenAt }] of this.known) if (seenAt < oldest) this.known.delete(id);
  }

  private take(
    { workspaceId, containerId }: { workspaceId: string; containerId: string },
    measure: ContainerMeasure,
    loads: GpuLoad[],
  ): void {
    if (!this.known.has(workspaceId) && this.known.size >= WORKSPACES_MAX) return;
    const known = this.known.get(workspaceId) ?? { series: new Series(this.stepSeconds), last: undefined, seenAt: 0 };
    this.known.set(workspaceId, known);
    const { last } = known;
    known.last = { ...measure, containerId };
    known.seenAt = this.options.clock.now() / 1000;
    const seconds = last ? (measure.atMs - last.atMs) / 1000 : 0;
    // What was used is known from the second time on; a container that began anew counts from zero.
    if (last?.containerId !== containerId || seconds <= 0 || measure.cpuNanos < last.cpuNanos) return;
    known.series.push({
      at: Math.round(known.seenAt),
      cpu: (measure.cpuNanos - last.cpuNanos) / 1e9 / seconds,
      memory: measure.memory,
      received: Math.max(0, measure.received - last.received) / seconds,
      sent: Math.max(0, measure.sent - last.sent) / seconds,
      ...gpuOf(this.options.gpusOf(workspaceId), loads),
    });
  }
}

function gpuOf(
  given: { uuids: string[] } | { count: number } | null,
  loads: GpuLoad[],
): Pick<Measured, 'gpu' | 'gpuMemory'> {
  const own =
    given === null
      ? []
      : 'count' in given
        ? loads.slice(0, given.count)
        : loads.filter(({ uuid }) => given.uuids.includes(uuid));
  if (own.length === 0) return { gpu: -1, gpuMemory: -1 };
  return {
    gpu: own.reduce((sum, { load }) => sum + load, 0) / own.length,
    gpuMemory: own.reduce((sum, { memoryBytes }) => sum + memoryBytes, 0),
  };
}

function round(value: number, digits: number): number {
  return Math.round(value * 10 ** digits) / 10 ** digits;
}
