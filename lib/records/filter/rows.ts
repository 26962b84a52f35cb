import { withinTime } from '../read-time';
import { joinParts, part, type SqlPart } from '../sql';

/** What one related row must meet, of the rows that the joins bring together; without joins, the record itself. */
interface RowTest {
  where: SqlPart;
  joins: readonly SqlPart[];
  /** What is compared there. */
  values: readonly SqlPart[];
}

/** A filter whose names are resolved, with the joins of each part not yet in place. */
export type Condition = ({ type: 'one row' } & RowTest) | { type: 'all' | 'one'; parts: readonly Condition[] };

/**
 * The condition as SQL. Parts that are joined by AND and look at one relation's records must be met by the same record, so
 * they become one EXISTS; parts that share no join are asked for apart, so that their rows are not multiplied.
 */
export function toSql(condition: Condition): SqlPart {
  if (condition.type === 'one row') return condition.joins.length === 0 ? condition.where : exists(condition);
  if (condition.type === 'one') return group(condition.parts.map(toSql), ' OR ');
  const parts = linkedParts(flatten(condition)).map((linked) =>
    linked.length === 1 ? toSql(linked[0]!) : exists(merge(linked)),
  );
  return group(parts, ' AND ');
}

/** Whether some row meets the test, or none does. */
export function exists({ joins, values, where }: RowTest, negated = false): SqlPart {
  const from = joinParts([part('SELECT 1 FROM (SELECT 1)'), ...joins], ' ');
  const inTime = withinTime(values.map(({ sql }) => sql));
  return {
    sql: `${negated ? 'NOT ' : ''}EXISTS (${from.sql} WHERE CASE WHEN ${inTime} THEN ${where.sql} END)`,
    params: [...from.params, ...where.params],
  };
}

function group(parts: readonly SqlPart[], operator: ' AND ' | ' OR '): SqlPart {
  if (parts.length === 1) return parts[0]!;
  const { sql, params } = joinParts(parts, operator);
  return { sql: `(${sql})`, params };
}

function flatten(condition: Condition): Condition[] {
  return condition.type === 'all' ? condition.parts.flatMap(flatten) : [condition];
}

function joinsOf(condition: Condition): readonly SqlPart[] {
  return condition.type === 'one row' ? condition.joins : condition.parts.flatMap(joinsOf);
}

/** The parts in sets that have joins in common, directly or through others. */
function linkedParts(parts: readonly Condition[]): Condition[][] {
  let sets: { joins: Set<SqlPart>; members: Condition[] }[] = [];
  for (const part of parts) {
    const joins = joinsOf(part);
    const linked = sets.filter((set) => joins.some((join) => set.joins.has(join)));
    const members = [...linked.flatMap((set) => set.members), part];
    const all = new Set([...linked.flatMap((set) => [...set.joins]), ...joins]);
    sets = [...sets.filter((set) => !linked.includes(set)), { joins: all, members }];
  }
  return sets.map(({ members }) => members);
}

/** Parts as one test of one row. */
function merge(parts: readonly Condition[]): RowTest {
  const tests = parts.map(asRowTest);
  return {
    joins: [...new Set(tests.flatMap(({ joins }) => joins))],
    values: tests.flatMap(({ values }) => values),
    where: group(
      tests.map(({ where }) => where),
      ' AND ',
    ),
  };
}

function asRowTest(condition: Condition): RowTest {
  if (condition.type === 'one row') return condition;
  if (condition.type === 'all') return merge(condition.parts);
  const tests = condition.parts.map(asRowTest);
  const where = group(
    tests.map((test) => test.where),
    ' OR ',
  );
  return {
    joins: [...new Set(tests.flatMap(({ joins }) => joins))],
    values: tests.flatMap((test) => test.values),
    where,
  };
}
