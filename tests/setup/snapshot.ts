import { getDb } from '@/db/client';

/** Everything that is stored, to see that a refusal changed nothing. Request logs are no part of it. */
export function everything(): string {
  const { sqlite } = getDb();
  const tables = sqlite
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name != 'logs'")
    .pluck()
    .all() as string[];
  return JSON.stringify(tables.sort().map((table) => [table, sqlite.prepare(`SELECT * FROM "${table}"`).all()]));
}
