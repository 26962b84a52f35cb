import type { LogLevel, LogLine } from './log-line';

export interface LogQuery {
  pattern: string;
  isRegex: boolean;
  /** Lines that do not match are the ones to find; the others are then left out. */
  isInverted: boolean;
  isCaseSensitive: boolean;
  /** Shows the lines that match alone. */
  isFiltering: boolean;
  /** Shows lines of these levels alone; empty shows all. */
  levels: readonly LogLevel[];
}
export const openQuery: LogQuery = {
  pattern: '',
  isRegex: false,
  isInverted: false,
  isCaseSensitive: false,
  isFiltering: false,
  levels: [],
};

/** A query made ready to be asked of many lines. */
export class LogMatcher {
  readonly isPatternWrong: boolean;
  /** Finds what to mark in a line; null without a search, and for an inverted one. */
  readonly marker: RegExp | null;
  private readonly tester: RegExp | null;

  constructor(private readonly query: LogQuery) {
    const made = makePattern(query);
    this.isPatternWrong = made === undefined;
    this.tester = made ?? null;
    // A copy: the tester's own place in a text moves while lines are tested.
    this.marker = query.isInverted || !this.tester ? null : new RegExp(this.tester);
  }

  /** Whether the search hits the line. */
  isHit(line: LogLine): boolean {
    if (!this.tester) return false;
    this.tester.lastIndex = 0;
    return this.tester.test(line.plain) !== this.query.isInverted;
  }

  hasLevel(line: LogLine): boolean {
    const { levels } = this.query;
    return levels.length === 0 || (line.level !== undefined && levels.includes(line.level));
  }

  /** Whether lines that the search doesn't hit are left out. */
  get isNarrow(): boolean {
    return this.tester !== null && (this.query.isFiltering || this.query.isInverted);
  }

  get isLevelled(): boolean {
    return this.query.levels.length > 0;
  }
}

/** Null without a pattern, undefined for a wrong one. */
function makePattern({ pattern, isRegex, isCaseSensitive }: LogQuery): RegExp | null | undefined {
  if (!pattern) return null;
  try {
    const source = isRegex ? pattern : pattern.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    return new RegExp(source, isCaseSensitive ? 'g' : 'gi');
  } catch {
    return undefined;
  }
}
