import 'server-only';
import { AppError, NOT_FOUND_MESSAGE } from '@/lib/errors';
import { limits } from '@/lib/vocabulary/limits';
import { actorUserId, type Actor } from '@/lib/policies/actor';
import { isClosed } from '@/lib/policies/evaluate';
import { canFlagsOf, canReads } from './can';
import type { AnyRow, Collection, Viewer } from './collection';
import { expandReads, expandRecords, parseExpand } from './expand';
import { keptAnswer } from './kept-answers';
import { Lru } from '@/lib/lru';
import { toWire } from './output';
import { parseFields } from './pick';
import { bind, queryFor, type CompiledQuery, type QuerySource } from './query';
import { prepare } from './statements';
import { decodeRow } from './table-map';
import { readAside } from './reader-threads';
import { ReadSize } from './read-size';
import { HERE_MS, isReadAside, noteReadTime } from './read-speed';
import { askingAtEachRow, inReadTime, TookTooLong } from './read-time';
import { versionOf } from '@/db/versions';

/** How a record is to be shown. */
export interface ShowOptions {
  expand?: string;
  fields?: string;
  /** Adds to each record what the caller may do with it. */
  can?: boolean;
}

export interface ListOptions extends ShowOptions {
  page?: number;
  perPage?: number;
  filter?: string;
  sort?: string;
  skipTotal?: boolean;
}

export interface RecordPage<T = unknown> {
  page: number;
  perPage: number;
  totalItems: number;
  totalPages: number;
  items: T[];
}

const counts = new Lru<number>(2000);

interface ListPlan {
  collection: Collection;
  actor: Actor;
  options: ListOptions;
  source: QuerySource;
  query: CompiledQuery;
  page: number;
  perPage: number;
}

function planList(collection: Collection, actor: Actor, options: ListOptions): ListPlan {
  refuseClosed(collection, 'list', actor);
  const page = options.page !== undefined && options.page > 0 ? options.page : 1;
  const asked = options.perPage !== undefined && options.perPage > 0 ? options.perPage : limits.listPageSize;
  const perPage = Math.min(asked, limits.listPageSizeMax);
  const source = { filter: options.filter ?? '', sort: options.sort ?? '', rule: 'list' } as const;
  return { collection, actor, options, source, query: queryFor(collection, actor, source), page, perPage };
}

function pageParams({ query, actor, page, perPage }: ListPlan) {
  const offset = Math.min((page - 1) * perPage, Number.MAX_SAFE_INTEGER);
  return [...bind(query.page, actor), perPage, BigInt(offset)];
}

/** What a list's statements found. */
interface ListRows {
  raws: unknown[][];
  totalItems: number;
  size: ReadSize;
}

function readHere(plan: ListPlan): ListRows {
  const { actor, options, query } = plan;
  const size = new ReadSize();
  const page = prepare(query.page.sql).raw();
  const raws = size.take(page.iterate(...pageParams(plan)));
  return { raws, totalItems: options.skipTotal ? -1 : countOf(actor, query), size };
}

function finishList(plan: ListPlan, { raws, totalItems, size }: ListRows): RecordPage {
  const { collection, actor, options, page, perPage } = plan;
  const rows = raws.map((raw) => decodeRow(collection.columns, raw));
  return {
    page,
    perPage,
    totalItems,
    totalPages: options.skipTotal ? -1 : Math.ceil(totalItems / perPage),
    items: showRecords(collection, rows, { actor, options, size }),
  };
}

/**
 * A page of the records that the actor may list. Throws AppError: the general 400 for a filter or sort that is none, 403
 * where the collection is closed, `invalid` for what takes too long or is too much.
 */
export function listRecords(collection: Collection, actor: Actor, options: ListOptions = {}): RecordPage {
  const plan = planList(collection, actor, options);
  return finishList(plan, readHere(plan));
}

/** The same by a thread, which holds up nobody. */
async function listAside(plan: ListPlan): Promise<RecordPage> {
  const { actor, options, source, query } = plan;
  // Only patterns make one row take long by itself.
  const asking = (sql: string) => (source.filter.includes('~') ? askingAtEachRow(sql) : sql);
  const known = options.skipTotal ? -1 : knownCount(actor, query);
  const statements = [{ sql: asking(query.page.sql), params: pageParams(plan) }];
  if (known === undefined) statements.push({ sql: asking(query.count.sql), params: bind(query.count, actor) });
  const key = countKey(actor, query);
  const { rows, tookMs } = await readAside(statements, actorUserId(actor));
  if (tookMs < HERE_MS) noteReadTime(query.page.sql, tookMs);
  const totalItems = known ?? Number(rows[1]![0]![0]);
  if (!query.isTimed && known === undefined) counts.set(key, totalItems);
  const size = new ReadSize();
  return finishList(plan, { raws: size.take(rows[0]!), totalItems, size });
}

/** The list where it is short, undefined where it is not. */
function listSoon(plan: ListPlan): RecordPage | undefined {
  const { sql } = plan.query.page;
  if (isReadAside(plan.collection, plan.source, sql)) return undefined;
  const startMs = performance.now();
  try {
    const rows = inReadTime(() => readHere(plan), HERE_MS);
    noteReadTime(sql, performance.now() - startMs);
    return finishList(plan, rows);
  } catch (error) {
    if (!(error instanceof TookTooLong) || performance.now() - startMs < HERE_MS) throw error;
    noteReadTime(sql, Infinity);
    return undefined;
  }
}

/** The record of that id as the actor sees it. Throws AppError `not_found`, also when the actor may not see it. */
export function viewRecord(collection: Collection, actor: Actor, id: string, options: ShowOptions = {}): unknown {
  return showRecords(collection, [findVisible(collection, actor, id)], { actor, options })[0];
}

/**
 * `listRecords` as JSON text, at once or, where that takes long, by a thread; `asked` tells calls with other options apart.
 */
export function listText(
  collection: Collection,
  actor: Actor,
  options: ListOptions & { asked: string },
): string | Promise<string> {
  return keptAnswer(keyOf('list', collection, { actor, asked: options.asked }), () => {
    const plan = planList(collection, actor, options);
    const reads = readsOf(collection, actor, { source: plan.source, options });
    const soon = listSoon(plan);
    if (soon) return { text: JSON.stringify(soon), reads };
    const version = reads && versionOf(reads);
    return listAside(plan).then((page) => ({ text: JSON.stringify(page), reads, version }));
  });
}

/** `viewRecord` as JSON text; `asked` tells calls with other options apart. */
export function viewText(
  collection: Collection,
  actor: Actor,
  { id, asked, ...options }: ShowOptions & { id: string; asked: string },
): string {
  return keptAnswer(keyOf('view', collection, { actor, asked: `${id}?${asked}` }), () => {
    const text = JSON.stringify(viewRecord(collection, actor, id, options));
    const source = { filter: '', sort: '', rule: 'view' } as const;
    return { text, reads: readsOf(collection, actor, { source, options }) };
  });
}

function keyOf(read: string, collection: Collection, { actor, asked }: { actor: Actor; asked: string }): string {
  const who = actor.kind === 'user' && actor.isAdmin ? 'user+' : actor.kind;
  return `${read} ${collection.name} ${who} ${actorUserId(actor)} ${asked}`;
}

/** The collections that an answer comes from; undefined where it also comes from the clock or from chance. */
function readsOf(
  collection: Collection,
  actor: Actor,
  { source, options }: { source: QuerySource; options: ShowOptions },
): string[] | undefined {
  const query = queryFor(collection, actor, source);
  if (query.isTimed) return undefined;
  const reads = new Set([collection.name, ...query.reads]);
  if (options.expand) for (const name of expandReads(collection, parseExpand(options.expand), actor)) reads.add(name);
  if (options.can) for (const name of canReads(collection)) reads.add(name);
  return [...reads];
}

/** The stored columns of a record that the actor may view; throws AppError `not_found` otherwise. */
export function findVisible(collection: Collection, actor: Actor, id: string): AnyRow {
  refuseClosed(collection, 'view', actor);
  const row = matchRecord(collection, actor, { id, filter: '', rule: 'view' });
  if (!row) throw new AppError('not_found', NOT_FOUND_MESSAGE);
  return row;
}

/** The record if it passes the rule and the filter, as it is in the database now. */
export function matchRecord(
  collection: Collection,
  actor: Actor,
  { id, filter, rule }: { id: string; filter: string; rule: 'list' | 'view' },
): AnyRow | undefined {
  const { match } = queryFor(collection, actor, { filter, sort: '', rule });
  const raw = prepare(match.sql)
    .raw()
    .get(...bind(match, actor), id) as unknown[] | undefined;
  return raw && decodeRow(collection.columns, raw);
}

interface ShownTo {
  actor: Actor;
  options: ShowOptions;
  isRealtime?: boolean;
  /** What the rest of the answer has taken. */
  size?: ReadSize;
}

/** Records as they leave: output, expansions, `can` flags, and of all that the picked fields. */
export function showRecords(
  collection: Collection,
  rows: readonly AnyRow[],
  { actor, options, isRealtime = false, size = new ReadSize() }: ShownTo,
): unknown[] {
  return inReadTime(() => showInTime(collection, rows, { actor, options, isRealtime, size }));
}

function showInTime(
  collection: Collection,
  rows: readonly AnyRow[],
  { actor, options, isRealtime, size }: Required<ShownTo>,
): unknown[] {
  const picker = parseFields(options.fields ?? '');
  const viewer: Viewer = { actor, isRealtime };
  const wires = rows.map((row) => toWire(collection, row, viewer));
  if (options.expand) expandRecords({ collection, rows, wires, tree: parseExpand(options.expand), viewer, size });
  if (options.can) {
    const flags = canFlagsOf(collection, rows, actor);
    wires.forEach((wire, index) => (wire.can = flags[index]));
  }
  return picker ? wires.map(picker) : wires;
}

/** A rule that is closed to everyone answers 403; one that does not match leaves records out instead. */
export function refuseClosed(
  collection: Collection,
  action: 'list' | 'view' | 'create' | 'update' | 'delete',
  actor: Actor,
): void {
  if (isClosed(collection.policy[action]) && actor.kind !== 'system') {
    throw new AppError('forbidden', 'Only admins can perform this action.');
  }
}

function countOf(actor: Actor, query: CompiledQuery): number {
  const known = knownCount(actor, query);
  if (known !== undefined) return known;
  const total = prepare(query.count.sql)
    .pluck()
    .get(...bind(query.count, actor)) as number;
  if (!query.isTimed) counts.set(countKey(actor, query), total);
  return total;
}

function knownCount(actor: Actor, query: CompiledQuery): number | undefined {
  return query.isTimed ? undefined : counts.get(countKey(actor, query));
}

function countKey(actor: Actor, { reads, isPersonal, count }: CompiledQuery): string {
  const who = isPersonal ? actorUserId(actor) : '';
  return `${versionOf(reads)}|${who}|${count.sql}|${JSON.stringify(count.params)}`;
}
