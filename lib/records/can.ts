import 'server-only';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { actorUserId, type Actor } from '@/lib/policies/actor';
import { allows, decideWithoutRecord } from '@/lib/policies/evaluate';
import { grantTables, memberships, type Rule } from '@/lib/policies/rules';
import type { AnyRow, Collection } from './collection';
import { StoredFacts } from './facts';

export type CanFlags = Record<string, boolean>;

/** Whether the actor may do the act on this record. */
export function mayAct<T extends SQLiteTable, A extends string>(
  collection: Collection<T, A>,
  { actor, act, row, facts }: { actor: Actor; act: NoInfer<A>; row: AnyRow; facts?: StoredFacts },
): boolean {
  return allows(collection.policy.can[act], actor, row, facts ?? new StoredFacts());
}

/** The `can` flags of each record, with one query per kind of grant and per relation for all of them together. */
export function canFlagsOf(collection: Collection, rows: readonly AnyRow[], actor: Actor): CanFlags[] {
  const acts = Object.entries(collection.policy.can);
  const facts = new StoredFacts();
  preload(facts, { rules: acts.map(([, rule]) => rule), rows, actor });
  return rows.map((row) => Object.fromEntries(acts.map(([act, rule]) => [act, allows(rule, actor, row, facts)])));
}

interface PreloadScope {
  rules: readonly Rule[];
  rows: readonly AnyRow[];
  actor: Actor;
}

/** Reads ahead what the rules will ask of these records. */
export function preload(facts: StoredFacts, { rules, rows, actor }: PreloadScope): void {
  const userId = actorUserId(actor);
  const open = rules.filter((rule) => decideWithoutRecord(rule, actor) === undefined);
  if (open.length === 0 || rows.length === 0) return;
  const done = new Set<string>();
  for (const rule of flatten(open)) {
    if (rule.kind === 'grant' && !done.has(rule.resource)) {
      done.add(rule.resource);
      facts.preloadGrants(rule.resource, idsIn(rows, 'id'), userId);
    } else if (rule.kind === 'through' && !done.has(`${rule.field}>`)) {
      done.add(`${rule.field}>`);
      const ids = idsIn(rows, rule.field);
      facts.preloadRelated(rule.collection, ids);
      const inner = flatten(open).flatMap((other) =>
        other.kind === 'through' && other.field === rule.field ? [other.rule] : [],
      );
      preload(facts, { rules: inner, rows: relatedRows(facts, rule.collection, ids), actor });
    }
  }
}

function relatedRows(facts: StoredFacts, collection: string, ids: readonly string[]): AnyRow[] {
  return ids.map((id) => facts.related(collection, id)).filter((row) => row !== undefined);
}

function flatten(rules: readonly Rule[]): Rule[] {
  return rules.flatMap((rule) => (rule.kind === 'anyOf' || rule.kind === 'allOf' ? flatten(rule.rules) : [rule]));
}

function idsIn(rows: readonly AnyRow[], field: string): string[] {
  return [...new Set(rows.map((row) => String(row[field] ?? '')))].filter((id) => id !== '');
}

/** The collections that the `can` flags of a collection's records depend on. */
export function canReads(collection: Collection): string[] {
  return Object.values<Rule>(collection.policy.can).flatMap(readsOfRule);
}

function readsOfRule(rule: Rule): string[] {
  if (rule.kind === 'grant') return [grantTables[rule.resource].collection, memberships.collection];
  if (rule.kind === 'member') return [memberships.collection];
  if (rule.kind === 'through') return [rule.collection, ...readsOfRule(rule.rule)];
  return rule.kind === 'anyOf' || rule.kind === 'allOf' ? rule.rules.flatMap(readsOfRule) : [];
}
