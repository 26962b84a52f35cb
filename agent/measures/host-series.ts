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

/** Decimals of what is not a whole number. */
const DIGITS: Partial<Record<keyof HostMeasured, number>> = { cpu: 3, load: 2, gpu: 3 };

/** For how long each span is kept, and how far apart its values are, in seconds. */
export const HOST_SPANS = {
  recent: { seconds: 600, step: 10 },
  day: { seconds: 86_400, step: 300 },
  month: { seconds: 30 * 86_400, step: 7200 },
} as const;
export type HostSpan = keyof typeof HOST_SPANS;

/** A value with the decimals that are kept of its field. */
export function rounded(field: keyof HostMeasured, value: number): number {
  const scale = 10 ** (DIGITS[field] ?? 0);
  return Math.round(value * scale) / scale;
}

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

/** What nobody knew, as the load of a card that did not answer, counts for nothing; -1 where nobody knew it at any time. */
function summarise(at: number, bucket: readonly HostMeasured[]): HostMeasured {
  const of = (field: keyof HostMeasured): number => {
    const values = bucket.map((each) => each[field]).filter((value) => value >= 0);
    if (values.length === 0) return -1;
    const one = MOST.has(field) ? Math.max(...values) : values.reduce((sum, value) => sum + value, 0) / values.length;
    return rounded(field, one);
  };
  const columns = HOST_FIELDS.map((field) => [field, of(field)] as const);
  return { ...(Object.fromEntries(columns) as Record<keyof HostMeasured, number>), at };
}

/** What is kept over a restart of the agent. */
export interface KeptSeries {
  day: HostMeasured[];
  month: HostMeasured[];
}

/**
 * What was measured of the host: ten minutes as it was, a day by five minutes and thirty days by two hours. 120 KB at most. Values
 * are kept by their number and shown by their time: a clock that is wrong for a while hides what it does not reach, and costs no
 * more of it than it took the place of.
 */
export class HostSeries {
  private recent: HostMeasured[] = [];
  /** In the order in which they came. */
  private day: HostMeasured[];
  private month: HostMeasured[];
  /** Of the five minutes that are not over. */
  private fresh: HostMeasured[] = [];

  constructor(kept: KeptSeries = { day: [], month: [] }) {
    this.day = [...kept.day];
    this.month = [...kept.month];
  }

  /** Answers whether five minutes have come to their end with it. */
  push(measured: HostMeasured): boolean {
    this.recent = append(this.recent, measured, 'recent');
    const [first] = this.fresh;
    const isOver = first !== undefined && stepOf(first, 'day') !== stepOf(measured, 'day');
    if (isOver) this.closeDay();
    this.fresh.push(measured);
    return isOver;
  }

  private closeDay(): void {
    for (const value of downsample(this.fresh, HOST_SPANS.day.step)) {
      const last = this.day.at(-1);
      if (last && stepOf(last, 'month') !== stepOf(value, 'month')) {
        for (const each of this.twoHours([last], last.at)) this.month = append(this.month, each, 'month');
      }
      this.day = append(this.day, value, 'day');
    }
    this.fresh = [];
  }

  /** The two hours that each of these lies in, by all that is known of them up to a time. */
  private twoHours(values: readonly HostMeasured[], until: number): HostMeasured[] {
    const steps = new Set(values.map((value) => stepOf(value, 'month')));
    const within = [...this.day, ...values].filter((value) => value.at <= until && steps.has(stepOf(value, 'month')));
    return downsample(byTime(within), HOST_SPANS.month.step);
  }

  /** The oldest first, one of each time, of no time before or after. */
  read(span: HostSpan, now: number): HostMeasured[] {
    const { seconds, step } = HOST_SPANS[span];
    // A time is a whole second, the next one by half a second at most.
    const until = now + 1;
    return byTime(this.valuesOf(span, until)).filter(({ at }) => at > now - seconds - step && at <= until);
  }

  private valuesOf(span: HostSpan, until: number): HostMeasured[] {
    if (span === 'recent') return this.recent;
    const fresh = downsample(this.fresh, HOST_SPANS.day.step);
    if (span === 'day') return [...this.day, ...fresh];
    return [...this.month, ...this.twoHours([...this.day.slice(-1), ...fresh], until)];
  }

  keep(): KeptSeries {
    return { day: this.day, month: this.month };
  }
}

const stepOf = ({ at }: HostMeasured, span: HostSpan): number => Math.floor(at / HOST_SPANS[span].step);

/** The oldest first; of one time the one that came last, as after a clock was set back. */
function byTime(values: readonly HostMeasured[]): HostMeasured[] {
  const newest = new Map(values.map((value) => [value.at, value]));
  return [...newest.values()].sort((one, other) => one.at - other.at);
}

/** At the end, in the place of one of its time; the one that came first goes. */
function append(values: readonly HostMeasured[], value: HostMeasured, span: HostSpan): HostMeasured[] {
  const { seconds, step } = HOST_SPANS[span];
  return [...values.filter(({ at }) => at !== value.at), value].slice(-(seconds / step + 2));
}
