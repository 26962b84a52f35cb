import { makeLine, type LogLevel, type LogLine, type RawLine } from './log-line';
import { LogMatcher, openQuery, type LogQuery } from './log-query';

/** Kept while lines come in. */
const KEPT_LINES = 100_000;
/** Kept once somebody asked for older ones. */
const LOADED_LINES = 200_000;
/** Characters kept, whatever the number of lines. */
const KEPT_CHARS = 64 * 1024 * 1024;
/** Dropped at a time, and that part of the characters, so that dropping does not cost on every line. */
const DROP_STEP = 5_000;
const SPARE_PART = 16;
const FLUSH_MS = 250;

export interface LogView {
  /** What is shown, in order. */
  lines: readonly LogLine[];
  /** Places (`seq`) of the lines that the search hits, also of those that are not loaded, in order. */
  hits: readonly number[];
  /** Lines that were received and are not kept any more. */
  dropped: number;
  received: number;
  counts: Readonly<Record<LogLevel, number>>;
  marker: RegExp | null;
  isPatternWrong: boolean;
  /** What a line's place lacks to its number in the whole log; undefined while that isn't known. */
  base: number | undefined;
  /** The oldest and the newest line that are loaded, whether shown or not. */
  first: LogLine | undefined;
  last: LogLine | undefined;
  /** Whether lines that came after the last one are not loaded. */
  isDetached: boolean;
}

/** A line with its number in the whole log. */
export type NumberedLine = RawLine & { number: number };

const none = () => ({ error: 0, warn: 0, info: 0, debug: 0 });

/**
 * Takes lines as they come and shows them every 250 ms. What is loaded is one stretch of the log: its newest lines, more
 * of the older ones when asked, or a stretch from elsewhere, which lines that come in don't lengthen.
 */
export class LogStore {
  private all: LogLine[] = [];
  private waiting: LogLine[] = [];
  private lines: LogLine[] = [];
  private hits: number[] = [];
  private counts = none();
  private chars = 0;
  private dropped = 0;
  private received = 0;
  private base: number | undefined;
  private hasLoaded = false;
  private isDetached = false;
  private outside: LogLine[] = [];
  private matcher = new LogMatcher(openQuery);
  private timer: ReturnType<typeof setTimeout> | undefined;
  private view: LogView;
  private readonly listeners = new Set<() => void>();

  /** A log that comes whole, from its first line on, is numbered from the start. `kept` is how many lines it holds at most. */
  constructor({ isWhole = false, kept = KEPT_LINES }: { isWhole?: boolean; kept?: number | undefined } = {}) {
    this.keptLines = kept;
    this.keptChars = Math.round((KEPT_CHARS * kept) / KEPT_LINES);
    this.base = isWhole ? 0 : undefined;
    this.wholeBase = this.base;
    this.view = this.makeView();
  }
  private readonly wholeBase: number | undefined;
  private readonly keptLines: number;
  private readonly keptChars: number;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
  readonly getView = (): LogView => this.view;

  /** The place that the next line to come will have. */
  get nextSeq(): number {
    return this.received + 1;
  }

  push(text: string, stamp?: string): void {
    this.received += 1;
    if (this.isDetached) return this.publishSoon();
    this.waiting.push(makeLine(this.received, { text, ...(stamp !== undefined && { stamp }) }));
    this.publishSoon();
  }

  /** Says how many lines of the whole log lie before the one at a place. */
  setNumber(seq: number, before: number): void {
    this.base = before + 1 - seq;
    this.publish();
  }

  /** Puts older lines before those that are loaded; the newest go where they are too many. */
  prepend(older: readonly RawLine[]): void {
    this.flush();
    const first = this.all[0]?.seq ?? this.nextSeq;
    this.hasLoaded = true;
    this.all = older.map((line, index) => makeLine(first - older.length + index, line)).concat(this.all);
    if (this.all.length > LOADED_LINES) {
      this.all.length = LOADED_LINES;
      this.isDetached = true;
    }
    this.rebuild();
  }

  /** Puts newer lines after those that are loaded, where that isn't the end; the oldest go where they are too many. */
  append(newer: readonly NumberedLine[]): void {
    const last = this.all.at(-1)?.seq ?? 0;
    const made = newer.map((line) => makeLine(line.number - (this.base ?? 0), line)).filter(({ seq }) => seq > last);
    this.all = this.all.concat(made).slice(-LOADED_LINES);
    this.rebuild();
  }

  /** Loads another stretch of the log in place of what is loaded. The numbers must be known. */
  replace(lines: readonly NumberedLine[]): void {
    this.waiting = [];
    this.hasLoaded = true;
    this.isDetached = true;
    this.all = lines.map((line) => makeLine(line.number - (this.base ?? 0), line));
    this.rebuild();
  }

  /** What a search found in the parts that are not loaded. */
  setOutside(lines: readonly NumberedLine[]): void {
    const made = lines.map((line) => makeLine(line.number - (this.base ?? 0), line));
    this.outside = made;
    this.rebuild();
  }

  clear(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    [this.all, this.waiting, this.dropped, this.received] = [[], [], 0, 0];
    [this.base, this.hasLoaded, this.isDetached] = [this.wholeBase, false, false];
    this.outside = [];
    this.rebuild();
  }

  setQuery(query: LogQuery): void {
    this.matcher = new LogMatcher(query);
    this.rebuild();
  }

  /** Everything loaded, as plain text. */
  text(): string {
    return this.all.map((line) => line.plain).join('\n');
  }

  private publishSoon(): void {
    this.timer ??= setTimeout(() => this.flush(), FLUSH_MS);
  }

  /** Shows at once what has come. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const fresh = this.waiting;
    this.waiting = [];
    this.all = this.all.concat(fresh);
    for (const line of fresh) this.chars += line.text.length;
    if (this.dropOldest()) return this.rebuild();
    this.lines = this.lines.slice();
    this.hits = this.hits.slice();
    for (const line of fresh) this.take(line);
    this.publish();
  }

  private dropOldest(): boolean {
    const { keptChars } = this;
    const kept = this.hasLoaded ? LOADED_LINES : this.keptLines;
    if (this.all.length <= kept && this.chars <= keptChars) return false;
    const over = this.all.length - kept;
    let gone = over > 0 ? Math.min(this.all.length, over + Math.min(DROP_STEP, kept / 10)) : 0;
    let chars = this.chars;
    for (let index = 0; index < gone; index += 1) chars -= this.all[index]?.text.length ?? 0;
    while (chars > keptChars - keptChars / SPARE_PART && this.chars > keptChars && gone < this.all.length - 1) {
      chars -= this.all[gone]?.text.length ?? 0;
      gone += 1;
    }
    this.dropped += gone;
    this.all = this.all.slice(gone);
    return true;
  }

  private rebuild(): void {
    this.lines = [];
    this.hits = [];
    this.counts = none();
    this.chars = 0;
    const first = this.all[0]?.seq ?? this.nextSeq;
    const last = this.all.at(-1)?.seq ?? first;
    for (const line of this.outside) if (line.seq < first) this.takeOutside(line);
    for (const line of this.all) {
      this.chars += line.text.length;
      this.take(line);
    }
    for (const line of this.outside) if (line.seq > last) this.takeOutside(line);
    this.publish();
  }

  private take(line: LogLine): void {
    if (line.level) this.counts[line.level] += 1;
    if (!this.matcher.hasLevel(line)) return;
    const isHit = this.matcher.isHit(line);
    if (isHit) this.hits.push(line.seq);
    if (isHit || !this.matcher.isNarrow) this.lines.push(line);
  }

  /** Between lines that all are shown, one from elsewhere would look like their neighbour: it is a hit only. */
  private takeOutside(line: LogLine): void {
    if (!this.matcher.hasLevel(line)) return;
    const isHit = this.matcher.isHit(line);
    if (isHit) this.hits.push(line.seq);
    const isGapless = !this.matcher.isNarrow && !this.matcher.isLevelled;
    if (!isGapless && (isHit || !this.matcher.isNarrow)) this.lines.push(line);
  }

  private makeView(): LogView {
    const { lines, hits, dropped, received, counts, base, isDetached } = this;
    const { marker, isPatternWrong } = this.matcher;
    const [first, last] = [this.all[0], this.all.at(-1)];
    return {
      lines,
      hits,
      dropped,
      received,
      counts: { ...counts },
      marker,
      isPatternWrong,
      base,
      first,
      last,
      isDetached,
    };
  }

  private publish(): void {
    this.view = this.makeView();
    for (const listener of this.listeners) listener();
  }
}
