import { randomInt } from 'node:crypto';
import type Database from 'better-sqlite3';
import { AppError } from '@/lib/errors';

/** Nothing else runs while a statement does here, and paths through lists multiply what it looks at. */
const BUDGET_MS = 250;
export const READ_TIME_FUNCTION = 'berth_within_time';

/** A statement was stopped as its time was over. */
export class TookTooLong extends AppError {
  constructor() {
    super('invalid', 'This takes too long. Ask for less at once.');
  }
}

let endsAtMs = Infinity;
let scopeEndsAtMs: number | undefined;

/** The condition that stops a statement that takes too long; it is asked again for each of the values. */
export function withinTime(values: readonly string[]): string {
  return `${READ_TIME_FUNCTION}(${values.join(', ')})`;
}

/** Which rows are asked for is another matter in each process: nobody can store just the others. */
const [FACTOR, SHIFT] = [2 * randomInt(1, 100_000) + 1, randomInt(1, 100_000)];
const OFTEN = 15;
const SELDOM = 255;

function unlessPicked(rowid: string, mask: number): string {
  return `((${rowid} * ${FACTOR} + ${SHIFT}) & ${mask}) OR `;
}

/**
 * The same for some of the rows that a statement walks, as asking at each would cost more than most rows do. Rows that are
 * merely compared are asked for seldom.
 */
export function walkedInTime(rowid: string, { isCheap = false } = {}): string {
  return `(${unlessPicked(rowid, isCheap ? SELDOM : OFTEN)}${withinTime([rowid])})`;
}

/** The statement asking at each row: for threads, where a row that takes long by itself keeps nobody waiting but ends late. */
export function askingAtEachRow(sql: string): string {
  return sql.replaceAll(unlessPicked('t.rowid', OFTEN), '');
}

/** Makes the condition known to a new connection. */
export function teachReadTime(sqlite: Database.Database): void {
  sqlite.function(READ_TIME_FUNCTION, { varargs: true, deterministic: false }, () => {
    if (performance.now() > endsAtMs) throw new TookTooLong();
    return 1;
  });
}

/** The time of a statement that is about to run begins. */
export function beginReadTime(): void {
  endsAtMs = scopeEndsAtMs ?? performance.now() + BUDGET_MS;
}

/** All statements of the work have this time together. */
export function inReadTime<T>(work: () => T, budgetMs = BUDGET_MS): T {
  const outer = scopeEndsAtMs;
  scopeEndsAtMs = Math.min(outer ?? Infinity, performance.now() + budgetMs);
  try {
    return work();
  } finally {
    scopeEndsAtMs = outer;
  }
}
