import 'server-only';
import type Database from 'better-sqlite3';
import { getDb } from '@/db/database';
import { teachReadTime } from './read-time';

const LIMIT = 500;
const byConnection = new WeakMap<Database.Database, Map<string, Database.Statement>>();

type Statement<Row> = Database.Statement<unknown[], Row>;

/** The prepared statement of that text, to read by; `Row` says what its rows look like. Throws for one that writes. */
export function prepare<Row = unknown>(sql: string): Statement<Row> {
  const statement = cached(sql);
  if (!statement.readonly) throw new Error('Only a transaction prepares what writes');
  return statement as Statement<Row>;
}

/** The same for whoever answers for the transaction that it runs in: everything else asks a `WriteTransaction`. */
export function prepareWrite<Row = unknown>(sql: string): Statement<Row> {
  return cached(sql) as Statement<Row>;
}

/** Of the process's connection; the least recently used ones are dropped. */
function cached(sql: string): Database.Statement {
  const { sqlite } = getDb();
  let cache = byConnection.get(sqlite);
  if (!cache) {
    byConnection.set(sqlite, (cache = new Map()));
    teachReadTime(sqlite);
  }
  let statement = cache.get(sql);
  if (statement) {
    cache.delete(sql);
  } else {
    statement = sqlite.prepare(sql);
    if (cache.size >= LIMIT) cache.delete(cache.keys().next().value!);
  }
  cache.set(sql, statement);
  return statement;
}
