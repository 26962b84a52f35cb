import { actorUserId, hasFullAccess, type Actor } from '@/lib/policies/actor';
import { decideWithoutRecord } from '@/lib/policies/evaluate';
import { grantTables, memberships, type Rule } from '@/lib/policies/rules';
import { collectionNamed } from './registry';
import { joinParts, part, type Aliases, type SqlPart } from './sql';
import { tableMapOf } from './table-map';

/** Actors of one class get the same SQL; the user's id is a parameter. */
export type ActorClass = 'system' | 'full' | 'user' | 'guest';

export function actorClassOf(actor: Actor): ActorClass {
  if (actor.kind === 'system') return 'system';
  if (hasFullAccess(actor)) return 'full';
  return actorUserId(actor) === '' ? 'guest' : 'user';
}

const sampleActors: Record<ActorClass, Actor> = {
  system: { kind: 'system' },
  full: { kind: 'user', id: '-', isAdmin: true },
  user: { kind: 'user', id: '-', isAdmin: false },
  guest: { kind: 'guest' },
};

interface RuleScope {
  collection: string;
  alias: string;
  actorClass: ActorClass;
  aliases: Aliases;
  /** Collections that the SQL reads, added to. */
  reads: Set<string>;
}

/** The rule as a condition on the record at `alias`; undefined when every record passes. */
export function compileRule(rule: Rule, scope: RuleScope): SqlPart | undefined {
  const decided = decideWithoutRecord(rule, sampleActors[scope.actorClass]);
  if (decided !== undefined) return decided ? undefined : part('0');
  switch (rule.kind) {
    case 'owner':
      return part(`${scope.alias}.${columnOf(scope.collection, 'created_by')} = ?`, { dynamic: 'actor' });
    case 'self':
      return part(`${scope.alias}.${columnOf(scope.collection, rule.field)} = ?`, { dynamic: 'actor' });
    case 'member':
      return compileMember(rule, scope);
    case 'grant':
      return compileGrant(rule, scope);
    case 'through':
      return compileThrough(rule, scope);
    case 'anyOf':
      return combine(rule.rules, scope, 'OR');
    case 'allOf':
      return combine(rule.rules, scope, 'AND');
    default:
      return part('0');
  }
}

function combine(rules: readonly Rule[], scope: RuleScope, operator: 'OR' | 'AND'): SqlPart | undefined {
  const parts: SqlPart[] = [];
  for (const rule of rules) {
    const compiled = compileRule(rule, scope);
    if (compiled === undefined && operator === 'OR') return undefined;
    if (compiled && !(operator === 'OR' && compiled.sql === '0')) parts.push(compiled);
  }
  if (parts.length === 0) return operator === 'OR' ? part('0') : undefined;
  const { sql, params } = joinParts(parts, ` ${operator} `);
  return { sql: `(${sql})`, params };
}

/** The ids of the groups that the user is in. */
function groupsOfActor(scope: RuleScope): SqlPart {
  const { collection, user, group } = memberships;
  const alias = scope.aliases.next('m');
  scope.reads.add(collection);
  const select = `SELECT ${alias}.${columnOf(collection, group)} FROM ${tableOf(collection)} ${alias}`;
  return part(`(${select} WHERE ${alias}.${columnOf(collection, user)} = ?)`, { dynamic: 'actor' });
}

function compileMember(rule: Extract<Rule, { kind: 'member' }>, scope: RuleScope): SqlPart {
  const groups = groupsOfActor(scope);
  return { sql: `${scope.alias}.${columnOf(scope.collection, rule.field)} IN ${groups.sql}`, params: groups.params };
}

/** Reads what the user holds, by name and through groups, by index instead of probing it record by record. */
function compileGrant(rule: Extract<Rule, { kind: 'grant' }>, scope: RuleScope): SqlPart {
  const { collection, field } = grantTables[rule.resource];
  scope.reads.add(collection);
  const heldBy = (isHolder: (grants: string) => SqlPart): SqlPart => {
    const grants = scope.aliases.next('g');
    const holder = isHolder(grants);
    const flags = rule.flags.map((flag) => `${grants}.${columnOf(collection, flag)}`).join(' OR ');
    const select = `SELECT ${grants}.${columnOf(collection, field)} FROM ${tableOf(collection)} ${grants}`;
    return { sql: `${select} WHERE ${holder.sql} AND (${flags})`, params: holder.params };
  };
  const own = heldBy((grants) => part(`${grants}.${columnOf(collection, 'user')} = ?`, { dynamic: 'actor' }));
  const shared = heldBy((grants) => {
    const groups = groupsOfActor(scope);
    return { sql: `${grants}.${columnOf(collection, 'group')} IN ${groups.sql}`, params: groups.params };
  });
  const held = joinParts([own, shared], ' UNION ALL ');
  return { sql: `${scope.alias}."id" IN (${held.sql})`, params: held.params };
}

function compileThrough(rule: Extract<Rule, { kind: 'through' }>, scope: RuleScope): SqlPart {
  const alias = scope.aliases.next('r');
  scope.reads.add(rule.collection);
  const inner = compileRule(rule.rule, { ...scope, collection: rule.collection, alias });
  const where = inner ? ` WHERE ${inner.sql}` : '';
  const field = `${scope.alias}.${columnOf(scope.collection, rule.field)}`;
  const sql = `${field} IN (SELECT ${alias}."id" FROM ${tableOf(rule.collection)} ${alias}${where})`;
  return { sql, params: inner?.params ?? [] };
}

function tableOf(collection: string): string {
  return tableMapOf(mustFind(collection).table).name;
}

function columnOf(collection: string, field: string): string {
  const column = mustFind(collection).map.byKey.get(field);
  if (!column) throw new Error(`A rule names ${collection}.${field}, which has no column`);
  return column.column;
}

function mustFind(name: string) {
  const collection = collectionNamed(name);
  if (!collection) throw new Error(`A rule names the collection ${name}, which is not registered`);
  return collection;
}
