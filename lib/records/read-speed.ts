import 'server-only';
import { Lru } from '@/lib/lru';
import type { Collection } from './collection';
import type { QuerySource } from './query';
import { prepare } from './statements';

/** A list that has not shown how long it takes is tried here for so long; what goes on longer holds up others. */
export const HERE_MS = 25;
/** Tables of more rows are not tried where a filter or sort may have all of them looked at. */
const ROWS_HERE = 20_000;
/** Patterns are laid at each place of a text: one row takes long by itself. */
const PATTERN_HERE = 100;

/** So long a slow list is not tried here again: a machine that has much to do makes short ones slow, in threads most of all. */
const SLOW_FOR_MS = 2000;

const known = new Lru<{ ms: number; atMs: number }>(1000);

/** How long the statement took, wherever that was. */
export function noteReadTime(sql: string, ms: number): void {
  known.set(sql, { ms, atMs: performance.now() });
}

/** Whether a list is read by a thread: those that take long are, and short ones are faster here. */
export function isReadAside(collection: Collection, source: QuerySource, sql: string): boolean {
  if (source.filter.length > PATTERN_HERE && source.filter.includes('~')) return true;
  const last = known.get(sql);
  if (last) return last.ms > HERE_MS && performance.now() - last.atMs < SLOW_FOR_MS;
  if (source.filter === '' && source.sort === '') return false;
  return Number(prepare(`SELECT MAX(rowid) FROM ${collection.map.name}`).pluck().get() ?? 0) > ROWS_HERE;
}
