import type { Trace, TraceVertex } from './buildkit-trace';

interface Step {
  number: number;
  name: string;
  isDone: boolean;
  rest: string;
}

/** Steps of BuildKit's own that say nothing to a reader once they went well. */
const QUIET = /^\[internal\]|^copy \/context \/$/;

/**
 * Prints BuildKit's progress as `docker build --progress=plain` would: `#4 [2/3] RUN …`, its output, then `CACHED`,
 * `DONE 1.2s` or `ERROR: …`.
 */
export class TraceLog {
  private readonly steps = new Map<string, Step>();
  private readonly transfers = new Set<string>();

  constructor(private readonly log: (text: string) => void) {}

  take(trace: Trace): void {
    for (const vertex of trace.vertexes) this.takeVertex(vertex);
    for (const status of trace.statuses) this.takeStatus(status);
    for (const entry of trace.logs) this.takeOutput(entry.vertex, entry.text.toString('utf8'));
    for (const vertex of trace.vertexes) this.takeOutcome(vertex);
  }

  private takeVertex(vertex: TraceVertex): void {
    if (this.steps.has(vertex.digest) || (vertex.startedMs === null && !vertex.cached)) return;
    if (QUIET.test(vertex.name) && vertex.error === '') return;
    const step = { number: this.steps.size + 1, name: vertex.name, isDone: false, rest: '' };
    this.steps.set(vertex.digest, step);
    this.log(`#${step.number} ${step.name}\n`);
  }

  private takeStatus(status: Trace['statuses'][number]): void {
    const step = this.steps.get(status.vertex);
    if (!step || !status.isCompleted || this.transfers.has(status.id)) return;
    this.transfers.add(status.id);
    const size = status.total > 0 ? ` ${(status.total / 1e6).toFixed(1)} MB` : '';
    this.log(`#${step.number} ${status.id}${size} done\n`);
  }

  private takeOutput(digest: string, text: string): void {
    const step = this.steps.get(digest);
    if (!step) return;
    const lines = (step.rest + text).split('\n');
    step.rest = lines.pop() ?? '';
    for (const line of lines) this.log(`#${step.number} ${line.replace(/\r$/, '')}\n`);
  }

  private takeOutcome(vertex: TraceVertex): void {
    const step = this.steps.get(vertex.digest);
    if (!step || step.isDone || (vertex.completedMs === null && vertex.error === '')) return;
    step.isDone = true;
    if (step.rest !== '') this.log(`#${step.number} ${step.rest}\n`);
    this.log(`#${step.number} ${describeOutcome(vertex)}\n\n`);
  }
}

function describeOutcome(vertex: TraceVertex): string {
  if (vertex.error !== '') return `ERROR: ${vertex.error}`;
  if (vertex.cached) return 'CACHED';
  const durationMs = (vertex.completedMs ?? 0) - (vertex.startedMs ?? vertex.completedMs ?? 0);
  return `DONE ${(durationMs / 1000).toFixed(1)}s`;
}
