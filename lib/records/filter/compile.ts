import { joinParts, part, type SqlPart } from '../sql';
import { compare, likePattern, type Side } from './compare';
import { isMacro } from './macros';
import { exists, toSql, type Condition } from './rows';
import type { Comparison, Expression, Operand } from './parse';
import type { PathResolver, ResolvedPath } from './resolve';
import { FilterSyntaxError } from './tokens';

const KEYWORDS = new Map([
  ['null', 'NULL'],
  ['true', '1'],
  ['false', '0'],
]);

interface ResolvedSide extends Side {
  path?: ResolvedPath;
}

/** A filter as a SQL condition on the resolver's record. Throws FilterSyntaxError on unknown names. */
export function compileFilter(expression: Expression, resolver: PathResolver): SqlPart {
  return toSql(toCondition(expression, resolver));
}

function toCondition(expression: Expression, resolver: PathResolver): Condition {
  if (expression.type === 'comparison') return compareSides(expression, resolver);
  return { type: expression.type, parts: expression.parts.map((inner) => toCondition(inner, resolver)) };
}

function compareSides({ left, op, right, any }: Comparison, resolver: PathResolver): Condition {
  const options = { isShared: any };
  const sides = [resolveOperand(left, resolver, options), resolveOperand(right, resolver, options)] as const;
  const condition = guarded(compare(sides[0], op, sides[1]), sides);
  const where = { sql: `(${condition.sql})`, params: condition.params };
  const joins = [...new Set(sides.flatMap(({ path }) => path?.chain ?? []))];
  const values = sides.flatMap(({ path }) => (path?.chain ? [path.value] : []));
  if (any || joins.length === 0) return { type: 'one row', where, joins, values };
  const every = everyValue(where, op === '=' ? [] : values, (negated, test) =>
    exists({ joins, values, where: test }, negated),
  );
  return { type: 'one row', where: every, joins: [], values: [] };
}

/** Some value matches, none fails to; for other operators than `=` none is NULL either. */
function everyValue(
  condition: SqlPart,
  notNull: readonly SqlPart[],
  exists: (negated: boolean, where: SqlPart) => SqlPart,
): SqlPart {
  const fails = { sql: `NOT COALESCE(${condition.sql}, 0)`, params: condition.params };
  const nulls = notNull.map(({ sql, params }) => ({ sql: `${sql} IS NULL`, params }));
  const { sql, params } = joinParts(
    [exists(false, condition), exists(true, joinParts([fails, ...nulls], ' OR '))],
    ' AND ',
  );
  return { sql: `(${sql})`, params };
}

function guarded(condition: SqlPart, sides: readonly ResolvedSide[]): SqlPart {
  const guards = sides.flatMap(({ path }) => path?.guard ?? []);
  if (guards.length === 0) return condition;
  const inner = { sql: `(${condition.sql})`, params: condition.params };
  const { sql, params } = joinParts([inner, ...guards], ' AND ');
  return { sql: `(${sql})`, params };
}

function resolveOperand(operand: Operand, resolver: PathResolver, options: { isShared: boolean }): ResolvedSide {
  if (operand.type === 'text') return literal(operand.value, operand.value);
  if (operand.type === 'number') return literal(operand.value, String(operand.value));
  const { text } = operand;
  if (isMacro(text)) {
    return { value: part('?', { dynamic: text }), isEmpty: false, isKnownValue: true, isJson: false };
  }
  const keyword = KEYWORDS.get(text.toLowerCase());
  if (keyword !== undefined && !resolver.hasField(text)) {
    return { value: part(keyword), isEmpty: keyword === 'NULL', isKnownValue: keyword !== 'NULL', isJson: false };
  }
  if (text.startsWith('@') || text.startsWith('#')) throw new FilterSyntaxError('unknown macro');
  const path = resolver.resolve(text, options);
  return { value: path.value, isEmpty: false, isKnownValue: false, isJson: path.isJson, isNumber: path.isNumber, path };
}

function literal(value: string | number, text: string): ResolvedSide {
  return {
    value: part('?', value),
    isEmpty: value === '',
    isKnownValue: value !== '',
    isJson: false,
    pattern: likePattern(text),
  };
}
