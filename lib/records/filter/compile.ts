import { joinParts, part, type SqlPart } from '../sql';
import { withinTime } from '../read-time';
import { compare, likePattern, type Side } from './compare';
import { isMacro } from './macros';
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
  if (expression.type === 'comparison') return compileComparison(expression, resolver);
  const parts = expression.parts.map((inner) => compileFilter(inner, resolver));
  const { sql, params } = joinParts(parts, expression.type === 'all' ? ' AND ' : ' OR ');
  return { sql: `(${sql})`, params };
}

function compileComparison({ left, op, right, any }: Comparison, resolver: PathResolver): SqlPart {
  const sides = [resolveOperand(left, resolver), resolveOperand(right, resolver)] as const;
  const condition = guarded(compare(sides[0], op, sides[1]), sides);
  const chains = sides.flatMap(({ path }) => path?.chain ?? []);
  if (chains.length === 0) return { sql: `(${condition.sql})`, params: condition.params };
  const from = joinParts([part('SELECT 1 FROM (SELECT 1)'), ...chains], ' ');
  const ends = sides.flatMap(({ path }) => (path?.chain ? [path.value.sql] : []));
  const exists = (negated: boolean, where: SqlPart): SqlPart => ({
    sql: `${negated ? 'NOT ' : ''}EXISTS (${from.sql} WHERE CASE WHEN ${withinTime(ends)} THEN ${where.sql} END)`,
    params: [...from.params, ...where.params],
  });
  if (any) return exists(false, condition);
  const values = sides.flatMap(({ path }) => (path?.chain ? [path.value] : []));
  return everyValue(condition, op === '=' ? [] : values, exists);
}

/** Some value matches, none fails to; for other operators than `=` none is NULL either. */
function everyValue(
  condition: SqlPart,
  notNull: readonly SqlPart[],
  exists: (negated: boolean, where: SqlPart) => SqlPart,
): SqlPart {
  const fails = { sql: `NOT COALESCE((${condition.sql}), 0)`, params: condition.params };
  const nulls = notNull.map(({ sql, params }) => ({ sql: `${sql} IS NULL`, params }));
  return joinParts([exists(false, condition), exists(true, joinParts([fails, ...nulls], ' OR '))], ' AND ');
}

function guarded(condition: SqlPart, sides: readonly ResolvedSide[]): SqlPart {
  const guards = sides.flatMap(({ path }) => path?.guard ?? []);
  if (guards.length === 0) return condition;
  const inner = { sql: `(${condition.sql})`, params: condition.params };
  const { sql, params } = joinParts([inner, ...guards], ' AND ');
  return { sql: `(${sql})`, params };
}

function resolveOperand(operand: Operand, resolver: PathResolver): ResolvedSide {
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
  const path = resolver.resolve(text);
  return { value: path.value, isEmpty: false, isKnownValue: false, isJson: path.isJson, path };
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
