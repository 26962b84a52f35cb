/** What was measured of the host at one time. */
export interface HostMeasured {
  /** Seconds since the Unix epoch. */
  at: number;
  /** Processor cores in use. */
  cpu: number;
  /** Bytes that programs hold. */
  memory: number;
  /** Bytes of the disk that the engine keeps its data on. */
  disk: number;
  /** Of the last minute. */
  load: number;
  /** Bytes a second. */
  received: number;
  sent: number;
  /** Mean load of the cards, 0 to 1, and their memory together; -1 without cards. */
  gpu: number;
  gpuMemory: number;
}

export const HOST_FIELDS = [
  'at',
  'cpu',
  'memory',
  'disk',
  'load',
  'received',
  'sent',
  'gpu',
  'gpuMemory',
] as const satisfies (keyof HostMeasured)[];

/** Of what takes room the most is kept, of everything else the mean. */
const MOST = new Set<keyof HostMeasured>(['memory', 'disk', 'gpuMemory']);

/** For how long each span is kept, and how far apart its values are, in seconds. */
export const HOST_SPANS = {
  recent: { seconds: 600, step: 10 },
  day: { seconds: 86_400, step: 300 },
  month: { seconds: 30 * 86_400, step: 7200 },
} as const;
export type HostSpan = keyof typeof HOST_SPANS;

/** One value for each step in which something was measured, at its beginning, the oldest first: a gap stays one. */
export function downsample(values: readonly HostMeasured[], stepSeconds: number): HostMeasured[] {
  const buckets = new Map<number, HostMeasured[]>();
  for (const value of values) {
    const at = Math.floor(value.at / stepSeconds) * stepSeconds;
    const bucket = buckets.get(at);
    if (bucket) bucket.push(value);
    else buckets.set(at, [value]);
  }
  return [...buckets].sort(([one], [other]) => one - other).map(([at, bucket]) => summarise(at, bucket));
}

function summarise(at: number, bucket: readonly HostMeasured[]): HostMeasured {
  const of = (field: keyof HostMeasured): number => {
    const values = bucket.map((each) => each[field]);
    return MOST.has(field) ? Math.max(...values) : values.reduce((sum, value) => sum + value, 0) / values.length;
  };
  const columns = HOST_FIELDS.map((field) => [field, of(field)] as const);
  return { ...(Object.fromEntries(columns) as Record<keyof HostMeasured, number>), at };
}

/** What is kept over a restart of the agent. */
export interface KeptSeries {
  day: HostMeasured[];
  month: HostMeasured[];
}

/** What was measured of the host: ten minutes as it was, a day by five minutes and thirty days by two hours. 80 KB at most. */
export class HostSeries {
  private recent: HostMeasured[] = [];
  private day: HostMeasured[];
  private month: HostMeasured[];
  /** Of the five minutes, and of the two hours, that are not over. */
  private fresh: HostMeasured[] = [];
  private forming: HostMeasured[] = [];

  constructor(kept: KeptSeries = { day: [], month: [] }) {
    this.day = [...kept.day];
    const { step } = HOST_SPANS.month;
    const last = kept.month.at(-1)?.at ?? -1;
    this.month = [...kept.month];
    this.forming = kept.day.filter(({ at }) => at >= last + step);
  }

  /** Answers whether five minutes have come to their end with it. A clock that was set back counts anew from there. */
  push(measured: HostMeasured): boolean {
    const { recent, day } = HOST_SPANS;
    this.recent = append(this.recent, measured, recent.seconds);
    const [first] = this.fresh;
    const isOver = first !== undefined && stepOf(first, day.step) !== stepOf(measured, day.step);
    if (isOver) this.closeDay();
    this.fresh.push(measured);
    return isOver;
  }

  private closeDay(): void {
    const { day, month } = HOST_SPANS;
    for (const value of downsample(this.fresh, day.step)) {
      this.day = append(this.day, value, day.seconds);
      const [first] = this.forming;
      if (first && stepOf(first, month.step) !== stepOf(value, month.step)) {
        for (const each of downsample(this.forming, month.step)) this.month = append(this.month, each, month.seconds);
        this.forming = [];
      }
      this.forming.push(value);
    }
    this.fresh = [];
  }

  /** The oldest first, of no time before or after. */
  read(span: HostSpan, now: number): HostMeasured[] {
    const { seconds, step } = HOST_SPANS[span];
    const isWithin = ({ at }: HostMeasured): boolean => at >= now - seconds - step && at <= now + step;
    if (span === 'recent') return this.recent.filter(isWithin);
    const fresh = downsample(this.fresh, HOST_SPANS.day.step);
    if (span === 'day') return [...this.day, ...fresh].filter(isWithin);
    return [...this.month, ...downsample([...this.forming, ...fresh], step)].filter(isWithin);
  }

  keep(): KeptSeries {
    return { day: this.day, month: this.month };
  }
}

const stepOf = ({ at }: HostMeasured, step: number): number => Math.floor(at / step);

/** At the end, without what is too old or, after a clock was set back, not yet. */
function append(values: HostMeasured[], value: HostMeasured, seconds: number): HostMeasured[] {
  const kept = values.filter(({ at }) => at < value.at && at > value.at - seconds);
  kept.push(value);
  return kept;
}
