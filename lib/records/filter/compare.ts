import { part, type SqlPart } from '../sql';
import type { Operator } from './tokens';

/** One side of a comparison, ready for SQL. */
export interface Side {
  value: SqlPart;
  /** `''` or null. */
  isEmpty: boolean;
  /** A literal that is neither '' nor null. */
  isKnownValue: boolean;
  isJson: boolean;
  /** A column of reals: a whole one reads `5.0` in SQLite, where people search `5`. */
  isNumber?: boolean;
  /** Pattern of `~`, for literals. */
  pattern?: string;
}

/** `left op right` for one pair of values; NULL where SQLite says so. */
export function compare(left: Side, op: Operator, right: Side): SqlPart {
  switch (op) {
    case '=':
    case '!=':
      return equal(left, right, op === '!=');
    case '~':
    case '!~':
      return contains(left, right, op === '!~');
    default:
      return pair(left.value, ` ${op} `, right.value);
  }
}

function pair(left: SqlPart, between: string, right: SqlPart, end = ''): SqlPart {
  return { sql: `${left.sql}${between}${right.sql}${end}`, params: [...left.params, ...right.params] };
}

function equal(left: Side, right: Side, negated: boolean): SqlPart {
  if (left.isJson || right.isJson) return pair(left.value, negated ? ' IS NOT ' : ' IS ', right.value);
  if (left.isEmpty && right.isEmpty) return part(negated ? "'' != ''" : "'' = ''");
  if (left.isKnownValue || right.isKnownValue) return pair(left.value, negated ? ' IS NOT ' : ' = ', right.value);
  if (left.isEmpty || right.isEmpty) return equalEmpty((left.isEmpty ? right : left).value, negated);
  const folded = ({ sql, params }: SqlPart) => ({ sql: `COALESCE(${sql}, '')`, params });
  return pair(folded(left.value), negated ? ' != ' : ' = ', folded(right.value));
}

function equalEmpty({ sql, params }: SqlPart, negated: boolean): SqlPart {
  const condition = negated ? `(${sql} != '' AND ${sql} IS NOT NULL)` : `(${sql} = '' OR ${sql} IS NULL)`;
  return { sql: condition, params: [...params, ...params] };
}

function contains(left: Side, right: Side, negated: boolean): SqlPart {
  const like = negated ? ' NOT LIKE ' : ' LIKE ';
  const pattern =
    right.pattern === undefined
      ? { sql: `('%' || ${asRead(right).sql} || '%')`, params: right.value.params }
      : part('?', right.pattern);
  return pair(asRead(left), like, pattern, " ESCAPE '\\'");
}

function asRead({ value, isNumber }: Side): SqlPart {
  if (!isNumber || value.params.length > 0) return value;
  const whole = `CAST(${value.sql} AS INTEGER)`;
  return part(`CASE WHEN ${value.sql} = ${whole} THEN ${whole} ELSE ${value.sql} END`);
}

/** The LIKE pattern of a literal: wrapped and escaped unless it has a `%` of its own that is not escaped. */
export function likePattern(text: string): string {
  let escaped = '';
  let hasWildcard = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at]!;
    const next = text[at + 1];
    if (char === '\\' && (next === '\\' || next === '%' || next === '_')) {
      escaped += char + next;
      at += 1;
    } else if (char === '\\' || char === '%' || char === '_') {
      if (char === '%') hasWildcard = true;
      escaped += `\\${char}`;
    } else {
      escaped += char;
    }
  }
  if (!hasWildcard) return `%${escaped}%`;
  return text;
}
