import 'server-only';
import type { Actor } from '@/lib/policies/actor';
import type { AnyRow, Collection, Viewer } from './collection';
import type { Field } from './fields/field';
import { toWire } from './output';
import { bind } from './query';
import { collectionNamed } from './registry';
import { actorClassOf, compileRule } from './rule-sql';
import { ReadSize, sizeOfRaw } from './read-size';
import { walkedInTime } from './read-time';
import { Aliases, asJsonList, joinParts, part, type SqlPart } from './sql';
import { prepare } from './statements';
import { decodeRow } from './table-map';

const MAX_DEPTH = 6;
const MAX_PATHS = 100;
const MAX_BACK_RELATED = 1000;
/** Records that one path may bring in, each counted as often as it is written: paths that go to and fro multiply them. */
const MAX_WRITTEN = 50_000;

/** What each expanded record stands for once it is written, itself included: so many records, so many characters. */
interface Weight {
  records: number;
  chars: number;
}
type Weights = WeakMap<AnyRow, Weight>;

export interface ExpandTree {
  [name: string]: ExpandTree;
}

/** `host,image.build_on` as a tree; the old form `builds(image)` is read as `builds_via_image`. Never throws. */
export function parseExpand(source: string): ExpandTree {
  const root: ExpandTree = Object.create(null) as ExpandTree;
  const paths = source
    .replace(/\s/g, '')
    .replace(/\((\w+)\)/g, '_via_$1')
    .split(',')
    .map((path) => path.replace(/^\.+|\.+$/g, ''));
  for (const path of paths.slice(0, MAX_PATHS)) {
    let level = root;
    if (path === '') continue;
    for (const step of path.split('.').slice(0, MAX_DEPTH)) level = level[step] ??= Object.create(null) as ExpandTree;
  }
  return root;
}

interface ExpandScope {
  collection: Collection;
  rows: readonly AnyRow[];
  wires: readonly AnyRow[];
  tree: ExpandTree;
  viewer: Viewer;
  size: ReadSize;
  weights?: Weights;
}

interface Weighed extends ExpandScope {
  weights: Weights;
  /** Whether the records are themselves expanded: how often they are written is known further out. */
  isInner: boolean;
}

/** Of rows that were loaded, about as they are written. */
const sizes = new WeakMap<AnyRow, number>();

/**
 * Puts related records into `expand`, with one query per path for all records together. A path of too many is left out, and
 * so is one that leads nowhere, from its first step on. Returns whether there was a path to follow, if any was asked for.
 */
export function expandRecords(asked: ExpandScope): boolean {
  const scope = { ...asked, weights: asked.weights ?? new WeakMap(), isInner: asked.weights !== undefined };
  const steps = Object.entries(scope.tree);
  if (scope.rows.length === 0 || steps.length === 0) return true;
  const followed = steps.map(([name, subtree]) => {
    const field = scope.collection.fields.get(name);
    if (field?.relation && scope.collection.relations.has(name)) return expandForward(scope, { name, field, subtree });
    return name.includes('_via_') && expandBack(scope, name, subtree);
  });
  return followed.includes(true);
}

/** The collections that expanding the paths reads. */
export function expandReads(collection: Collection, tree: ExpandTree, actor: Actor): Set<string> {
  const reads = new Set<string>();
  for (const [name, subtree] of Object.entries(tree)) {
    const target = targetOf(collection, name);
    if (!target) continue;
    reads.add(target.name);
    viewRule(target, actor, reads);
    for (const deeper of expandReads(target, subtree, actor)) reads.add(deeper);
  }
  return reads;
}

/** The collection that a step of a path leads to, forward or back; undefined where it leads nowhere. */
function targetOf(collection: Collection, name: string): Collection | undefined {
  const forward = collection.fields.get(name)?.relation?.collection;
  return collectionNamed(forward ?? name.slice(0, Math.max(0, name.indexOf('_via_'))));
}

function expandForward(
  scope: Weighed,
  { name, field, subtree }: { name: string; field: Field; subtree: ExpandTree },
): boolean {
  const target = collectionNamed(field.relation!.collection);
  if (!target) return false;
  const idsOf = (row: AnyRow): string[] =>
    [row[name]].flat().filter((id): id is string => typeof id === 'string' && id !== '');
  const ids = [...new Set(scope.rows.flatMap(idsOf))];
  const related = loadVisible(
    target,
    scope.viewer,
    part('t."id" IN (SELECT value FROM json_each(?))', JSON.stringify(ids)),
  );
  const shown = present(target, related, { scope, subtree });
  if (!shown) return false;
  putAll(scope, {
    name,
    isList: field.multiple,
    found: scope.rows.map((row) => idsOf(row).flatMap((id) => (shown.has(id) ? [shown.get(id)!] : []))),
  });
  return true;
}

function expandBack(scope: Weighed, name: string, subtree: ExpandTree): boolean {
  const at = name.indexOf('_via_');
  const target = collectionNamed(name.slice(0, at));
  const fieldName = name.slice(at + 5);
  const field = target?.fields.get(fieldName);
  if (!target || field?.relation?.collection !== scope.collection.name || !target.relations.has(fieldName))
    return false;
  const isUnique = target.unique.some(({ fields, when }) => fields.length === 1 && fields[0] === fieldName && !when);
  const related = loadBackRelated(target, { field, fieldName, scope });
  const shown = present(
    target,
    related.map(({ row }) => row),
    { scope, subtree },
  );
  if (!shown) return false;
  const byOwner = new Map<string, AnyRow[]>();
  for (const { owner, row } of related) {
    const list = byOwner.get(owner) ?? [];
    list.push(shown.get(String(row.id))!);
    byOwner.set(owner, list);
  }
  putAll(scope, { name, isList: !isUnique, found: scope.rows.map((row) => byOwner.get(String(row.id)) ?? []) });
  return true;
}

function loadBackRelated(
  target: Collection,
  { field, fieldName, scope }: { field: Field; fieldName: string; scope: Weighed },
): { owner: string; row: AnyRow }[] {
  const column = `t.${target.map.byKey.get(fieldName)!.column}`;
  const ids = JSON.stringify(scope.rows.map((row) => row.id));
  const owner = field.multiple ? 'o.value' : column;
  const from = field.multiple ? `, json_each(${asJsonList(column)}) o` : '';
  const columns = target.columns.map((each) => `t.${each.column}`).join(', ');
  const rank = `row_number() OVER (PARTITION BY ${owner} ORDER BY t.rowid)`;
  const rule = viewRule(target, scope.viewer.actor);
  const conditions = [
    part(walkedInTime('t.rowid')),
    part(`${owner} IN (SELECT value FROM json_each(?))`, ids),
    ...(rule ? [rule] : []),
  ];
  const inner = joinParts(
    [
      part(`SELECT ${columns}, ${owner} AS berth_owner, ${rank} AS berth_rank FROM ${target.map.name} t${from} WHERE`),
      joinParts(conditions, ' AND '),
    ],
    ' ',
  );
  const all = { sql: `SELECT * FROM (${inner.sql}) WHERE berth_rank <= ${MAX_BACK_RELATED}`, params: inner.params };
  const raws = prepare(all.sql)
    .raw()
    .iterate(...bind(all, scope.viewer.actor));
  return new ReadSize().take(raws).map((raw) => {
    const row = decodeRow(target.columns, raw);
    sizes.set(row, sizeOfRaw(raw));
    return { owner: String(raw[target.columns.length]), row };
  });
}

function loadVisible(target: Collection, viewer: Viewer, condition: SqlPart): AnyRow[] {
  const rule = viewRule(target, viewer.actor);
  const columns = target.columns.map(({ column }) => `t.${column}`).join(', ');
  const where = joinParts(rule ? [condition, rule] : [condition], ' AND ');
  const statement = { sql: `SELECT ${columns} FROM ${target.map.name} t WHERE ${where.sql}`, params: where.params };
  const raws = prepare(statement.sql)
    .raw()
    .iterate(...bind(statement, viewer.actor));
  return new ReadSize().take(raws).map((raw) => {
    const row = decodeRow(target.columns, raw);
    sizes.set(row, sizeOfRaw(raw));
    return row;
  });
}

function viewRule(target: Collection, actor: Actor, reads = new Set<string>()): SqlPart | undefined {
  return compileRule(target.policy.view, {
    collection: target.name,
    alias: 't',
    actorClass: actorClassOf(actor),
    aliases: new Aliases(),
    reads,
  });
}

/** The related records as they leave, by id, themselves expanded; undefined where no path goes on from them. */
function present(
  target: Collection,
  rows: readonly AnyRow[],
  { scope, subtree }: { scope: Weighed; subtree: ExpandTree },
): Map<string, AnyRow> | undefined {
  const unique = [...new Map(rows.map((row) => [String(row.id), row])).values()];
  const wires = unique.map((row) => toWire(target, row, scope.viewer));
  unique.forEach((row, index) => scope.weights.set(wires[index]!, { records: 1, chars: sizes.get(row) ?? 0 }));
  if (!expandRecords({ ...scope, collection: target, rows: unique, wires, tree: subtree })) return undefined;
  return new Map(unique.map((row, index) => [String(row.id), wires[index]!]));
}

/** What was found for each record goes into its `expand`. Throws AppError `invalid` where all of it is too much to be written. */
function putAll(
  { wires, weights, size, isInner }: Weighed,
  { name, isList, found }: { name: string; isList: boolean; found: readonly AnyRow[][] },
): void {
  const added = found.map((records) => records.map((record) => weights.get(record)!).reduce(sumOf, NOTHING));
  const all = added.reduce(sumOf, NOTHING);
  if (all.records > MAX_WRITTEN) return;
  if (isInner) new ReadSize().add(all.chars);
  else size.add(all.chars);
  found.forEach((records, index) => {
    if (records.length === 0) return;
    const wire = wires[index]!;
    const expand = (wire.expand ??= {}) as AnyRow;
    expand[name] = isList ? records : records[0];
    weights.set(wire, sumOf(weights.get(wire) ?? { records: 1, chars: 0 }, added[index]!));
  });
}

const NOTHING: Weight = { records: 0, chars: 0 };

function sumOf(a: Weight, b: Weight): Weight {
  return { records: a.records + b.records, chars: a.chars + b.chars };
}
