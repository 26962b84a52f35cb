import 'server-only';
import { createHash } from 'node:crypto';
import { nowMs } from '@/lib/clock';
import { AppError } from '@/lib/errors';
import type { RateLimit } from '@/lib/vocabulary/limits';
import { prepare, prepareWrite } from '@/lib/records/statements';
import { write } from '@/lib/records/transaction';
import { refuseStoppedWrite } from '@/lib/records/write-stop';
import { writeUnflushed } from './unflushed';

/** One counter of a try: whose it is is kept as a hash, for people type passwords where a name belongs. */
export interface Turn {
  readonly limit: RateLimit;
  readonly who: string;
}

interface Row {
  count: number;
  windowStart: number;
  windowEnd: number;
}

interface Taken {
  readonly key: string;
  readonly windowStart: number;
}

const SELECT = 'SELECT count, window_start AS windowStart, window_end AS windowEnd FROM rate_limits WHERE key = ?';
const PUT = `INSERT INTO rate_limits (key, count, window_start, window_end) VALUES (?, ?, ?, ?)
  ON CONFLICT (key) DO UPDATE SET count = excluded.count, window_start = excluded.window_start, window_end = excluded.window_end`;
const GIVE_BACK = 'UPDATE rate_limits SET count = count - 1 WHERE key = ? AND window_start = ? AND count > 0';

function keyOf({ limit, who }: Turn): string {
  return `${limit.name}/${createHash('sha256').update(who).digest('base64url')}`;
}

/** The window that runs now, if any. One that begins in the future was counted by a clock that has been put back. */
function currentWindow(key: string, now: number): Row | undefined {
  const row = prepare<Row>(SELECT).get(key);
  return row && row.windowStart <= now && row.windowEnd > now ? row : undefined;
}

/** Throws AppError `rate_limited` when one of the turns is used up; the one with the longest wait is told. */
function refuseUsedUp(turns: readonly Turn[]): void {
  const now = nowMs();
  let longest: { limit: RateLimit; waitMs: number } | undefined;
  for (const turn of turns) {
    const row = currentWindow(keyOf(turn), now);
    if (!row || row.count < turn.limit.max) continue;
    const waitMs = row.windowEnd - now;
    if (!longest || waitMs > longest.waitMs) longest = { limit: turn.limit, waitMs };
  }
  if (longest) throw quotaExceeded(longest.limit, Math.ceil(longest.waitMs / 1000));
}

function periodWords(seconds: number): string {
  const [count, unit] = seconds % 3600 === 0 ? [seconds / 3600, 'hour'] : [Math.ceil(seconds / 60), 'minute'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

function quotaExceeded({ max, periodSeconds }: RateLimit, secondsLeft: number): AppError {
  const message = `Quota exceeded. Maximum allowed: ${max} requests per ${periodWords(periodSeconds)}. Please try again in ${secondsLeft} seconds.`;
  return new AppError('rate_limited', message, { retryAfterSeconds: secondsLeft });
}

function take(turn: Turn): Taken {
  const now = nowMs();
  const key = keyOf(turn);
  const row = currentWindow(key, now);
  const windowStart = row?.windowStart ?? now;
  const windowEnd = row?.windowEnd ?? now + turn.limit.periodSeconds * 1000;
  prepareWrite(PUT).run(key, (row?.count ?? 0) + 1, windowStart, windowEnd);
  return { key, windowStart };
}

/** At once and without waiting for the disk, so that a try costs next to nothing beside what it tries. */
function count<T>(work: () => T): T {
  refuseStoppedWrite();
  return writeUnflushed(work);
}

/**
 * Counts a try against all the limits, or against none and throws AppError `rate_limited` where one is used up. Returns
 * the way to give the turns back. Fixed windows; they outlive the process.
 */
export function takeTurns(turns: readonly Turn[]): () => void {
  // Without a write: a flood that is refused costs no disk.
  refuseUsedUp(turns);
  const taken = turns.length === 0 ? [] : count(() => turns.map(take));
  return () => count(() => taken.forEach(({ key, windowStart }) => prepareWrite(GIVE_BACK).run(key, windowStart)));
}

/** Removes windows that have ended. */
export function sweepRateLimits(): Promise<void> {
  return write((tx) => {
    tx.prepare('DELETE FROM rate_limits WHERE window_end <= ?').run(nowMs());
  });
}
