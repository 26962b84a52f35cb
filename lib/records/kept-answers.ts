import 'server-only';
import { versionOf } from '@/db/versions';

const MAX_CHARS = 16_000_000;
const MAX_ANSWER_CHARS = 256_000;

interface Kept {
  text: string;
  /** The collections that the answer was read from, and their versions then. */
  reads: readonly string[];
  version: string;
}

const answers = new Map<string, Kept>();
let chars = 0;

export interface Reading {
  text: string;
  /** Undefined where the answer also depends on something else, such as the time: it is not kept. */
  reads: readonly string[] | undefined;
  /** Theirs when the reading began; now where left out. */
  version?: string;
}

/**
 * The answer to a read, as it was made the last time where nothing that it was read from has changed since. The key must
 * name all that the answer depends on beside the data: who asks, and for what.
 */
export function keptAnswer(key: string, read: () => Reading): string;
export function keptAnswer(key: string, read: () => Reading | Promise<Reading>): string | Promise<string>;
export function keptAnswer(key: string, read: () => Reading | Promise<Reading>): string | Promise<string> {
  const known = answers.get(key);
  if (known) {
    answers.delete(key);
    if (versionOf(known.reads) === known.version) {
      answers.set(key, known);
      return known.text;
    }
    chars -= sizeOf(key, known.text);
  }
  const reading = read();
  return reading instanceof Promise ? reading.then((late) => take(key, late)) : take(key, reading);
}

function take(key: string, { text, reads, version }: Reading): string {
  if (!reads || text.length > MAX_ANSWER_CHARS) return text;
  const before = answers.get(key);
  if (before) chars -= sizeOf(key, before.text);
  keep(key, { text, reads, version: version ?? versionOf(reads) });
  return text;
}

function keep(key: string, kept: Kept): void {
  answers.set(key, kept);
  chars += sizeOf(key, kept.text);
  for (const [oldest, { text }] of answers) {
    if (chars <= MAX_CHARS) return;
    answers.delete(oldest);
    chars -= sizeOf(oldest, text);
  }
}

function sizeOf(key: string, text: string): number {
  return key.length + text.length;
}
