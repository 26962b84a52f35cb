import 'server-only';
import type Database from 'better-sqlite3';
import { getDb } from '@/db/database';
import { teachReadTime } from './read-time';

const LIMIT = 500;
const byConnection = new WeakMap<Database.Database, Map<string, Database.Statement>>();

/** The prepared statement of that text on the process's connection; the least recently used ones are dropped. */
export function prepare(sql: string): Database.Statement {
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
