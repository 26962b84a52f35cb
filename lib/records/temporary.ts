import 'server-only';
import type Database from 'better-sqlite3';
import { getDb } from '@/db/database';
import type { AnyRow, Collection } from './collection';

const filled = new WeakMap<Database.Database, Set<string>>();

/** Keeps rows that are no stored records in a table of the connection's own, so that filters and sorts work on them. Done once. */
export function fillTemporary({ map, name }: Collection, rows: readonly AnyRow[]): void {
  const { sqlite } = getDb();
  const done = filled.get(sqlite) ?? new Set();
  if (done.has(name)) return;
  const columns = map.columns.map(({ column }) => column).join(', ');
  sqlite.exec(`CREATE TEMP TABLE ${map.name} (${columns})`);
  const insert = sqlite.prepare(`INSERT INTO ${map.name} VALUES (${map.columns.map(() => '?').join(', ')})`);
  for (const row of rows) insert.run(...map.columns.map(({ key, encode }) => encode(row[key])));
  filled.set(sqlite, done.add(name));
}
