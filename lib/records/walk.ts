import 'server-only';
import { AppError, GENERIC_MESSAGE } from '@/lib/errors';
import type { Actor } from '@/lib/policies/actor';
import type { AnyRow, Collection } from './collection';
import { bind, queryFor } from './query';
import { refuseClosed } from './reader';
import { prepare } from './statements';
import { decodeRow } from './table-map';

const KEYS_MAX = 5;
const SORTED_KINDS = new Set(['text', 'date', 'number', 'bool', 'select']);
const SYSTEM_FIELDS = new Set(['id', 'created', 'updated']);

interface SortKey {
  column: string;
  isDescending: boolean;
}

interface WalkOptions {
  filter: string;
  /** As lists are sorted, but by the collection's own plain fields only. */
  sort: string;
  pageSize: number;
}

/**
 * All the records that the actor may list, as they are stored, page by page: each page begins after the last record of the
 * one before, so that a long walk holds one page and slows down nothing. Records that come meanwhile are left out. Throws
 * AppError `invalid` at once for a filter or sort that is none.
 */
export function walkRecords(collection: Collection, actor: Actor, options: WalkOptions): Generator<AnyRow[]> {
  refuseClosed(collection, 'list', actor);
  const query = queryFor(collection, actor, { filter: options.filter, sort: '', rule: 'list' });
  const keys = sortKeysOf(collection, options.sort);
  const newest = prepare(`SELECT MAX(rowid) FROM ${collection.map.name}`).pluck().get() as number | null;
  return walk(newest ?? 0);

  function* walk(lastRowid: number): Generator<AnyRow[]> {
    let after: unknown[] | undefined;
    for (;;) {
      const conditions = [query.where?.sql, 't.rowid <= ?', after && afterSql(keys)].filter(Boolean).join(' AND ');
      const order = [...keys.map(({ column, isDescending }) => `${column}${isDescending ? ' DESC' : ''}`), 't.rowid'];
      const position = keys.map(({ column }) => column);
      const columns = [...collection.columns.map(({ column }) => `t.${column}`), ...position, 't.rowid'];
      const sql = `SELECT ${columns.join(', ')} ${query.from.sql} WHERE ${conditions} ORDER BY ${order.join(', ')} LIMIT ?`;
      const bound = [...bind(query.from, actor), ...(query.where ? bind(query.where, actor) : []), lastRowid];
      const raws = prepare(sql)
        .raw()
        .all(...bound, ...(after ? afterParams(after) : []), options.pageSize) as unknown[][];
      if (raws.length > 0) yield raws.map((raw) => decodeRow(collection.columns, raw));
      if (raws.length < options.pageSize) return;
      after = raws.at(-1)!.slice(collection.columns.length);
    }
  }
}

function sortKeysOf(collection: Collection, sort: string): SortKey[] {
  const names = sort === '' ? [] : sort.split(',').map((key) => key.trim());
  if (names.length > KEYS_MAX) throw new AppError('invalid', GENERIC_MESSAGE);
  return names.map((key) => {
    const name = key.replace(/^[+-]/, '');
    const field = collection.fields.get(name);
    const isPlain = SYSTEM_FIELDS.has(name) || (field !== undefined && SORTED_KINDS.has(field.kind));
    const column = collection.map.byKey.get(name)?.column;
    if (!column || !isPlain || !collection.search.has(name)) throw new AppError('invalid', GENERIC_MESSAGE);
    return { column: `t.${column}`, isDescending: key.startsWith('-') };
  });
}

/** Past the last record: further in the first key, or equal there and further in the next, down to the row's number. */
function afterSql(keys: readonly SortKey[]): string {
  const terms = [...keys, { column: 't.rowid', isDescending: false }];
  const further = terms.map(({ column, isDescending }, index) => {
    const same = terms.slice(0, index).map((term) => `${term.column} = ?`);
    return `(${[...same, `${column} ${isDescending ? '<' : '>'} ?`].join(' AND ')})`;
  });
  // Said once more on its own, the first key lets an index find the place.
  const [first] = terms;
  return `${first!.column} ${first!.isDescending ? '<=' : '>='} ? AND (${further.join(' OR ')})`;
}

function afterParams(position: readonly unknown[]): unknown[] {
  return [position[0], ...position.flatMap((_, index) => position.slice(0, index + 1))];
}
