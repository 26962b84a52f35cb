import 'server-only';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { memberships } from '@/lib/policies/rules';
import type { RowOf } from './collection';
import { prepare } from './statements';
import { columnOf, decodeRow, tableMapOf } from './table-map';
import type { Stored } from './transaction';

/** A permission as it is stored, and the membership through which somebody holds it; empty where it names them. */
export interface Held<Row> {
  row: Row;
  membership: string;
}

/**
 * The permissions whose columns equal all the given values that somebody holds, by name first, then through groups from the
 * oldest membership on. For rights that are no rule of a record.
 */
export function findHeld<T extends SQLiteTable>(
  { table }: Stored<T>,
  { userId, match, limit = 1000 }: { userId: string; match: Partial<RowOf<T>>; limit?: number },
): Held<RowOf<T>>[] {
  const map = tableMapOf(table);
  const entries = Object.entries(match as Record<string, unknown>);
  const equals = entries.map(([key]) => `AND g.${columnOf(map, key)} IS ?`).join(' ');
  const columns = map.columns.map(({ column }) => `g.${column}`).join(', ');
  const values = entries.map(([key, value]) => map.byKey.get(key)!.encode(value));
  const { collection, user, group } = memberships;
  const sql =
    `SELECT ${columns}, '' AS membership, '' AS since FROM ${map.name} g WHERE g."user" = ? ${equals} UNION ALL ` +
    `SELECT ${columns}, m."id", m."created" FROM "${collection}" m JOIN ${map.name} g ON g."group" = m."${group}" ` +
    `WHERE m."${user}" = ? ${equals} ORDER BY since, membership LIMIT ?`;
  const raws = prepare<unknown[]>(sql)
    .raw()
    .all(userId, ...values, userId, ...values, limit);
  return raws.map((raw) => ({
    row: decodeRow(map.columns, raw) as RowOf<T>,
    membership: String(raw[map.columns.length]),
  }));
}
