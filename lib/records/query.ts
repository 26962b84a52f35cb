import 'server-only';
import { AppError, GENERIC_MESSAGE } from '@/lib/errors';
import { limits } from '@/lib/vocabulary/limits';
import { actorUserId, type Actor } from '@/lib/policies/actor';
import type { Collection } from './collection';
import { compileFilter } from './filter/compile';
import { macroValue } from './filter/macros';
import { parseFilter } from './filter/parse';
import { PathResolver } from './filter/resolve';
import { FilterSyntaxError } from './filter/tokens';
import { Lru } from '@/lib/lru';
import { prepare } from './statements';
import { beginReadTime, walkedInTime } from './read-time';
import { actorClassOf, compileRule, type ActorClass } from './rule-sql';
import { compileSort, isRandom } from './sort';
import { joinParts, part, type SqlParam, type SqlPart } from './sql';

/** A list's statements, compiled once for a filter, a sort and a class of actors. */
export interface CompiledQuery {
  readonly page: SqlPart;
  readonly count: SqlPart;
  /** FROM and WHERE, for other questions about the same records. */
  readonly matching: SqlPart;
  /** The table with its joins, and what a record must meet: for reads in steps. */
  readonly from: SqlPart;
  readonly where: SqlPart | undefined;
  /** Whether a record of a given id matches; the id comes last. */
  readonly match: SqlPart;
  /** Collections that the count depends on. */
  readonly reads: readonly string[];
  /** Whether the answer also depends on the time or on chance. */
  readonly isTimed: boolean;
  /** Whether the answer also depends on who asks, beyond the class. */
  readonly isPersonal: boolean;
}

export interface QuerySource {
  filter: string;
  sort: string;
  rule: 'list' | 'view';
}

/** Signs of patterns, paths and modifiers: with none of them a row is compared and that is all. */
const TAKES_LONG = /[~.:]/;

/** Of so many rows all can be compared before a clock need be looked at; of fewer where each is also looked up in grants. */
const FEW = { comparing: 20_000, lookingUp: 5000 };

const compiled = new Lru<CompiledQuery>(500);

/**
 * The statements for a filter and sort as this actor may use them. Throws AppError: 403 for `@request.` and
 * `@collection.`, the general 400 for whatever is no filter or sort.
 */
export function queryFor(collection: Collection, actor: Actor, source: QuerySource): CompiledQuery {
  const actorClass = actorClassOf(actor);
  if (actorClass !== 'system') refuseInternalNames(source);
  const isShort = isOverSoon(collection, actorClass, source);
  const key = [collection.name, actorClass, source.rule, source.sort, source.filter, isShort].join('\u0000');
  const known = compiled.get(key);
  if (known) return known;
  try {
    const query = compileQuery(collection, { actorClass, isShort }, source);
    compiled.set(key, query);
    return query;
  } catch (error) {
    if (error instanceof FilterSyntaxError) throw new AppError('invalid', GENERIC_MESSAGE);
    throw error;
  }
}

/** Whether a walk through all of the rows is short, so that it goes without asking for the time: that costs as much as a row. */
function isOverSoon(collection: Collection, actorClass: ActorClass, { filter, sort, rule }: QuerySource): boolean {
  if ((filter === '' && sort === '') || TAKES_LONG.test(filter) || TAKES_LONG.test(sort)) return false;
  const isPlain = actorClass !== 'user' || collection.policy[rule].kind === 'signedIn';
  const newest = prepare(`SELECT MAX(rowid) FROM ${collection.map.name}`).pluck().get();
  return Number(newest ?? 0) <= (isPlain ? FEW.comparing : FEW.lookingUp);
}

function refuseInternalNames({ filter, sort }: QuerySource): void {
  for (const name of ['@request.', '@collection.']) {
    if (filter.includes(name) || sort.includes(name)) {
      throw new AppError('forbidden', `Only admins can filter by ${name}`);
    }
  }
  if (filter.length > limits.queryStringChars * 2) throw new AppError('invalid', GENERIC_MESSAGE);
}

function compileQuery(
  collection: Collection,
  { actorClass, isShort }: { actorClass: ActorClass; isShort: boolean },
  { filter, sort, rule }: QuerySource,
): CompiledQuery {
  const resolver = new PathResolver(collection, actorClass);
  const conditions: SqlPart[] = [];
  const allowed = compileRule(collection.policy[rule], {
    collection: collection.name,
    alias: 't',
    actorClass,
    aliases: resolver.aliases,
    reads: resolver.reads,
  });
  if (allowed) conditions.push(allowed);
  if (filter !== '') conditions.push(compileFilter(parseFilter(filter), resolver));
  const countJoins = [...resolver.joins];
  const order = compileSort(sort, resolver);
  const walked =
    isShort || (conditions.length === 0 && sort === '')
      ? conditions
      : [part(walkedInTime('t.rowid', { isCheap: !TAKES_LONG.test(filter) })), ...conditions];
  const from = (joins: readonly SqlPart[]) => joinParts([part(`FROM ${collection.map.name} t`), ...joins], ' ');
  const where = walked.length === 0 ? [] : [part('WHERE'), joinParts(walked, ' AND ')];
  const columns = collection.columns.map(({ column }) => `t.${column}`).join(', ');
  const page = joinParts(
    [part(`SELECT ${columns}`), from(resolver.joins), ...where, part('ORDER BY'), order, part('LIMIT ? OFFSET ?')],
    ' ',
  );
  const matching = joinParts([from(countJoins), ...where], ' ');
  const count = joinParts([part('SELECT COUNT(*)'), matching], ' ');
  const one = joinParts([...conditions, part('t."id" = ?')], ' AND ');
  const params = [...page.params];
  return {
    page,
    count,
    matching,
    from: from(countJoins),
    where: walked.length === 0 ? undefined : joinParts(walked, ' AND '),
    match: joinParts([part(`SELECT ${columns}`), from(countJoins), part('WHERE'), one], ' '),
    reads: [...resolver.reads],
    isTimed: isRandom(sort) || params.some((param) => isDynamic(param) && param.dynamic !== 'actor'),
    isPersonal: params.some((param) => isDynamic(param) && param.dynamic === 'actor'),
  };
}

function isDynamic(param: SqlParam): param is Exclude<SqlParam, string | number | null> {
  return typeof param === 'object' && param !== null;
}

/** The values of a statement's parameters for this actor at this moment, when its time begins. */
export function bind({ params }: SqlPart, actor: Actor): (string | number | bigint | null)[] {
  beginReadTime();
  return params.map((param) => {
    if (!isDynamic(param)) return param;
    return param.dynamic === 'actor' ? actorUserId(actor) : macroParam(param.dynamic);
  });
}

/** Whole numbers: as text they are `2024`, where a JavaScript number would be `2024.0`. */
function macroParam(name: string): string | bigint {
  const value = macroValue(name);
  return typeof value === 'number' ? BigInt(value) : value;
}
