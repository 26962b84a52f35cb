import { getDb } from '@/db/database';

/** What tells of calls, refused ones too: no part of what they may change. */
const RECORDS_OF_CALLS = ['logs', 'audit', 'rate_limits'];

/** Everything that is stored, to see that a refusal changed nothing. */
export function everything(): string {
  const { sqlite } = getDb();
  const tables = sqlite
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
    .pluck()
    .all() as string[];
  const kept = tables.filter((table) => !RECORDS_OF_CALLS.includes(table)).sort();
  return JSON.stringify(kept.map((table) => [table, sqlite.prepare(`SELECT * FROM "${table}"`).all()]));
}
