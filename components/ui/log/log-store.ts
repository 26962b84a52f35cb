import { makeLine, type LogLevel, type LogLine } from './log-line';

const KEPT_LINES = 100_000;
/** Dropped at a time, so that dropping does not cost on every line. */
const DROP_STEP = 5_000;
const FLUSH_MS = 250;

export interface LogQuery {
  pattern: string;
  isRegex: boolean;
  isInverted: boolean;
  isCaseSensitive: boolean;
  level: LogLevel | 'all';
}
export const openQuery: LogQuery = {
  pattern: '',
  isRegex: false,
  isInverted: false,
  isCaseSensitive: false,
  level: 'all',
};

export interface LogView {
  lines: readonly LogLine[];
  /** Places in `lines` that the search hits. */
  hits: readonly number[];
  dropped: number;
  received: number;
  counts: Readonly<Record<LogLevel, number>>;
  /** Finds what to mark in a line; null without a search, and for an inverted one. */
  marker: RegExp | null;
  isPatternWrong: boolean;
}

/** Takes lines as they come, shows them every 250 ms, keeps the newest 100,000. */
export class LogStore {
  private all: LogLine[] = [];
  private waiting: LogLine[] = [];
  private lines: LogLine[] = [];
  private hits: number[] = [];
  private counts: Record<LogLevel, number> = { error: 0, warn: 0, info: 0, debug: 0 };
  private dropped = 0;
  private received = 0;
  private query: LogQuery = openQuery;
  private matcher: RegExp | null = null;
  private marker: RegExp | null = null;
  private isPatternWrong = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private view: LogView;
  private readonly listeners = new Set<() => void>();

  constructor() {
    this.view = this.makeView();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
  readonly getView = (): LogView => this.view;

  push(raw: string, atMs?: number): void {
    this.received += 1;
    this.waiting.push(makeLine(this.received, raw, atMs));
    this.timer ??= setTimeout(() => this.flush(), FLUSH_MS);
  }

  clear(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    [this.all, this.waiting, this.dropped, this.received] = [[], [], 0, 0];
    this.rebuild();
  }

  setQuery(query: LogQuery): void {
    this.query = query;
    this.matcher = this.makeMatcher();
    // A copy: the matcher's own place in a text moves while lines are tested.
    this.marker = query.isInverted || !this.matcher ? null : new RegExp(this.matcher);
    this.rebuild();
  }

  /** Everything kept, as plain text. */
  text(): string {
    return this.all.map((line) => line.plain).join('\n');
  }

  private makeMatcher(): RegExp | null {
    const { pattern, isRegex, isCaseSensitive } = this.query;
    this.isPatternWrong = false;
    if (!pattern) return null;
    try {
      return new RegExp(
        isRegex ? pattern : pattern.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
        isCaseSensitive ? 'g' : 'gi',
      );
    } catch {
      this.isPatternWrong = true;
      return null;
    }
  }

  private flush(): void {
    this.timer = undefined;
    const fresh = this.waiting;
    this.waiting = [];
    this.all = this.all.concat(fresh);
    const over = this.all.length - KEPT_LINES;
    if (over > 0) {
      const gone = Math.min(this.all.length, over + DROP_STEP);
      this.dropped += gone;
      this.all = this.all.slice(gone);
      this.rebuild();
      return;
    }
    this.lines = this.lines.slice();
    this.hits = this.hits.slice();
    for (const line of fresh) this.take(line);
    this.publish();
  }

  private rebuild(): void {
    this.lines = [];
    this.hits = [];
    this.counts = { error: 0, warn: 0, info: 0, debug: 0 };
    for (const line of this.all) this.take(line);
    this.publish();
  }

  private take(line: LogLine): void {
    if (line.level) this.counts[line.level] += 1;
    if (this.query.level !== 'all' && line.level !== this.query.level) return;
    this.lines.push(line);
    if (!this.matcher) return;
    this.matcher.lastIndex = 0;
    if (this.matcher.test(line.plain) !== this.query.isInverted) this.hits.push(this.lines.length - 1);
  }

  private makeView(): LogView {
    const { lines, hits, dropped, received, counts, isPatternWrong } = this;
    const { marker } = this;
    return { lines, hits, dropped, received, counts: { ...counts }, marker, isPatternWrong };
  }

  private publish(): void {
    this.view = this.makeView();
    for (const listener of this.listeners) listener();
  }
}
