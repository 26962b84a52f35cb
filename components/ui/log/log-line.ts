import { plainText } from './ansi';

export const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** A line as it comes. */
export interface RawLine {
  text: string;
  /** The source's own time, as it was written. */
  stamp?: string;
}

export interface LogLine {
  /** Place among the lines that the store was given: the first one to come is 1, older ones count down from there. */
  seq: number;
  stamp: string;
  /** Milliseconds since the epoch; undefined when the source gives none. */
  atMs: number | undefined;
  /** As received, with colours. */
  text: string;
  plain: string;
  level: LogLevel | undefined;
}

const LEVELS: [RegExp, LogLevel][] = [
  [/\b(?:error|err|fatal|critical|panic|exception|traceback)\b/i, 'error'],
  [/\bwarn(?:ing)?\b/i, 'warn'],
  [/\b(?:debug|trace)\b/i, 'debug'],
  [/\b(?:info|notice)\b/i, 'info'],
];

/** The level that a line's beginning names. */
function levelOf(plain: string): LogLevel | undefined {
  const start = plain.slice(0, 80);
  return LEVELS.find(([pattern]) => pattern.test(start))?.[1];
}

/** A progress line that was redrawn with carriage returns keeps its last state. */
export function makeLine(seq: number, { text: raw, stamp = '' }: RawLine): LogLine {
  const trimmed = raw.replace(/\r?\n?$/, '');
  const text = trimmed.includes('\r') ? trimmed.slice(trimmed.lastIndexOf('\r') + 1) : trimmed;
  const plain = plainText(text);
  const atMs = stamp === '' ? Number.NaN : Date.parse(stamp);
  return { seq, stamp, atMs: Number.isNaN(atMs) ? undefined : atMs, text, plain, level: levelOf(plain) };
}

/** Where a line is among lines that are in order; -1 when it is not there. */
export function findPlace(lines: readonly LogLine[], seq: number): number {
  let [low, high] = [0, lines.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = lines[middle]?.seq ?? 0;
    if (found === seq) return middle;
    if (found < seq) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
