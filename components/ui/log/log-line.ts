import { plainText } from './ansi';

export type LogLevel = 'error' | 'warn' | 'info' | 'debug';

export interface LogLine {
  /** Counts from 1 over everything that was received. */
  number: number;
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
export function makeLine(number: number, raw: string, atMs: number | undefined): LogLine {
  const trimmed = raw.replace(/\r?\n?$/, '');
  const text = trimmed.includes('\r') ? trimmed.slice(trimmed.lastIndexOf('\r') + 1) : trimmed;
  const plain = plainText(text);
  return { number, atMs, text, plain, level: levelOf(plain) };
}
