/** What was measured at one time. */
export interface Measured {
  /** Seconds since the Unix epoch. */
  at: number;
  cpu: number;
  memory: number;
  received: number;
  sent: number;
  /** -1 where the workspace has no card, or the host can't tell. */
  gpu: number;
  gpuMemory: number;
}

const FIELDS = ['at', 'cpu', 'memory', 'received', 'sent', 'gpu', 'gpuMemory'] as const satisfies (keyof Measured)[];
const MINUTE = 60;
export const RECENT_SECONDS = 600;
export const DAY_SECONDS = 86_400;

/** The newest so many, in room that is taken once. */
class Ring {
  private readonly values: Float64Array;
  private next = 0;
  private count = 0;

  constructor(private readonly size: number) {
    this.values = new Float64Array(size * FIELDS.length);
  }

  push(measured: Measured): void {
    FIELDS.forEach((field, index) => (this.values[this.next * FIELDS.length + index] = measured[field]));
    this.next = (this.next + 1) % this.size;
    this.count = Math.min(this.size, this.count + 1);
  }

  /** From the newest, or a newer time that was quiet, back to the first that was not, or was not measured. */
  quietSince(marks: Marks, newer: number | undefined): number | undefined {
    let since = newer;
    for (let back = 1; back <= this.count; back += 1) {
      const place = ((this.next - back + this.size) % this.size) * FIELDS.length;
      const [at = 0, cpu = 0, , received = 0, sent = 0, gpu = 0] = this.values.subarray(place, place + FIELDS.length);
      if (since !== undefined && since - at > GAP_SECONDS) return since;
      if (isMore({ cpu, received, sent, gpu }, marks)) return since;
      since = at;
    }
    return since;
  }

  /** The oldest first, of no time before. */
  since(at: number): Measured[] {
    const found: Measured[] = [];
    for (let index = 0; index < this.count; index += 1) {
      const place = ((this.next - this.count + index + this.size) % this.size) * FIELDS.length;
      const measured = Object.fromEntries(FIELDS.map((field, each) => [field, this.values[place + each]!]));
      if (measured.at! >= at) found.push(measured as unknown as Measured);
    }
    return found;
  }
}

/** What was measured of one workspace: the last ten minutes as it was, and the last day by the minute. 84 KB. */
export class Series {
  private readonly recent: Ring;
  private readonly day = new Ring(DAY_SECONDS / MINUTE);
  private minute: Measured[] = [];

  constructor(stepSeconds: number) {
    this.recent = new Ring(Math.ceil(RECENT_SECONDS / stepSeconds));
  }

  push(measured: Measured): void {
    const [first] = this.minute;
    if (first && minuteOf(first) !== minuteOf(measured)) {
      this.day.push(summarise(this.minute));
      this.minute = [];
    }
    this.minute.push(measured);
    this.recent.push(measured);
  }

  /** Since when it was never more than those marks, in seconds since the Unix epoch; undefined where it is now, or nobody knows. */
  quietSince(marks: Marks): number | undefined {
    const current = this.minute.length > 0 ? summarise(this.minute) : undefined;
    if (current && isMore(current, marks)) return undefined;
    return this.day.quietSince(marks, current?.at);
  }

  read(span: 'recent' | 'day', now: number): Measured[] {
    if (span === 'recent') return this.recent.since(now - RECENT_SECONDS);
    const last = this.minute.length > 0 ? [summarise(this.minute)] : [];
    return [...this.day.since(now - DAY_SECONDS), ...last];
  }
}

/** Processor cores, bytes a second both ways, and the mean load of cards. */
export interface Marks {
  cpu: number;
  network: number;
  gpu: number;
}

/** Between two minutes that were measured there is never more than that. */
const GAP_SECONDS = 3 * MINUTE;

function isMore({ cpu, received, sent, gpu }: Omit<Measured, 'at' | 'memory' | 'gpuMemory'>, marks: Marks): boolean {
  return cpu > marks.cpu || received + sent > marks.network || gpu > marks.gpu;
}

const minuteOf = ({ at }: Measured): number => Math.floor(at / MINUTE);

/** One value for a minute: its mean, of memory the most. */
function summarise(minute: Measured[]): Measured {
  const mean = (field: keyof Measured): number =>
    minute.reduce((sum, measured) => sum + measured[field], 0) / minute.length;
  const most = (field: keyof Measured): number => Math.max(...minute.map((measured) => measured[field]));
  return {
    at: minuteOf(minute[0]!) * MINUTE,
    cpu: mean('cpu'),
    memory: most('memory'),
    received: mean('received'),
    sent: mean('sent'),
    gpu: mean('gpu'),
    gpuMemory: most('gpuMemory'),
  };
}
