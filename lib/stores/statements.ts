import 'server-only';
import type Database from 'better-sqlite3';
import { getDb } from '@/db/database';

const byConnection = new WeakMap<Database.Database, Map<string, Database.Statement<unknown[], unknown>>>();

/** The statement of that text, compiled once per connection. `Row` says what its rows look like. */
export function prepared<Row>(sql: string): Database.Statement<unknown[], Row> {
  const { sqlite } = getDb();
  let statements = byConnection.get(sqlite);
  if (!statements) byConnection.set(sqlite, (statements = new Map()));
  let statement = statements.get(sql);
  if (!statement) statements.set(sql, (statement = sqlite.prepare<unknown[], unknown>(sql)));
  return statement as Database.Statement<unknown[], Row>;
}
