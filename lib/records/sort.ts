import type { PathResolver } from './filter/resolve';
import { FilterSyntaxError } from './filter/tokens';
import { withinTime } from './read-time';
import { joinParts, part, type SqlPart } from './sql';

const KEY = /^[A-Za-z_][A-Za-z0-9_.]*$/;
const MAX_KEYS = 20;

/** Whether a sort leaves some of the order to chance. */
export function isRandom(source: string): boolean {
  return source.includes('@random');
}

/** `-created,host.name` as ORDER BY terms. Insertion order settles ties, so that paging is stable. */
export function compileSort(source: string, resolver: PathResolver): SqlPart {
  const keys = source === '' ? [] : source.split(',');
  if (keys.length > MAX_KEYS) throw new FilterSyntaxError('too many sort keys');
  return joinParts([...keys.map((key) => compileKey(key.trim(), resolver)), part('t.rowid')], ', ');
}

function compileKey(key: string, resolver: PathResolver): SqlPart {
  const direction = key.startsWith('-') ? ' DESC' : '';
  const name = /^[+-]/.test(key) ? key.slice(1) : key;
  if (name === '@random') return part('RANDOM()');
  if (!KEY.test(name)) throw new FilterSyntaxError('unknown sort key');
  const { value, chain, guard } = resolver.resolve(name);
  const shown = guard
    ? { sql: `CASE WHEN ${guard.sql} THEN ${value.sql} ELSE '' END`, params: [...guard.params, ...value.params] }
    : value;
  if (!chain) return { sql: `${shown.sql}${direction}`, params: shown.params };
  const inTime = `CASE WHEN ${withinTime([value.sql])} THEN ${shown.sql} END`;
  const joins = joinParts(chain, ' ');
  const sql = `(SELECT MIN(${inTime}) FROM (SELECT 1) ${joins.sql})${direction}`;
  return { sql, params: [...shown.params, ...joins.params] };
}
