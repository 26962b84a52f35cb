import type Database from 'better-sqlite3';
import { AppError } from '@/lib/errors';

/** Paths through lists multiply what a statement looks at, and nothing else runs meanwhile. */
const BUDGET_MS = 100;
const NAME = 'berth_within_time';

let endsAtMs = Infinity;

/** The condition that stops a statement that takes too long; it is asked again for each of the values. */
export function withinTime(values: readonly string[]): string {
  return `${NAME}(${values.join(', ')})`;
}

/** Makes the condition known to a new connection. */
export function teachReadTime(sqlite: Database.Database): void {
  sqlite.function(NAME, { varargs: true, deterministic: false }, () => {
    if (performance.now() > endsAtMs) throw new AppError('invalid', 'This takes too long. Ask for less at once.');
    return 1;
  });
}

/** The time of a statement that is about to run begins. */
export function beginReadTime(): void {
  endsAtMs = performance.now() + BUDGET_MS;
}
