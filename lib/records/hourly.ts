import 'server-only';
import type { Actor } from '@/lib/policies/actor';
import type { Collection } from './collection';
import { bind, queryFor } from './query';
import { prepare } from './statements';

/** How many of the records that the actor may list were created in each hour; hours without any are left out. */
export function countByHour(collection: Collection, actor: Actor, filter: string): { total: number; date: string }[] {
  const { matching } = queryFor(collection, actor, { filter, sort: '', rule: 'list' });
  const hour = `substr(t."created", 1, 13) || ':00:00.000Z'`;
  const sql = `SELECT COUNT(*) AS total, ${hour} AS date ${matching.sql} GROUP BY date ORDER BY date`;
  return prepare(sql).all(...bind(matching, actor)) as { total: number; date: string }[];
}
