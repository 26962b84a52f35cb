import 'server-only';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { getDb } from '@/db/database';
import { wireNow } from '@/lib/clock';
import { newId } from '@/lib/ids';
import { singleton } from '@/lib/singleton';
import { beforeDeleteSafely, changeListeners, tellCommitted, type RecordChange } from './changes';
import type { RowOf, ValuesOf } from './collection';
import { asJsonList } from './sql';
import { prepare, prepareWrite } from './statements';
import { inSavepoint, rollBack } from './savepoint';
import { allColumns, columnOf, decodeRow, tableMapOf } from './table-map';
import { bumpVersion } from '@/db/versions';
import { refuseStoppedWrite } from './write-stop';

/** What a transaction needs to know of a collection. */
export interface Stored<T extends SQLiteTable = SQLiteTable> {
  readonly name: string;
  readonly table: T;
}

interface FindOptions<T> {
  orderBy?: keyof RowOf<T> & string;
  descending?: boolean;
  limit?: number;
}

type Match = Record<string, unknown>;

function readRaw(sql: string, params: readonly unknown[]): unknown[][] {
  return prepare<unknown[]>(sql)
    .raw()
    .all(...params);
}

/** Reads of whole records by plain equality, without rights: for commands and for the host link. */
export class StoreReader {
  /** The record of that id, or undefined. */
  get<T extends SQLiteTable>(collection: Stored<T>, id: string): RowOf<T> | undefined {
    return this.find(collection, { id } as unknown as Partial<RowOf<T>>, { limit: 1 })[0];
  }

  /** The records whose columns equal all the given values. */
  find<T extends SQLiteTable>(
    { table }: Stored<T>,
    match: Partial<RowOf<T>>,
    { orderBy, descending, limit }: FindOptions<T> = {},
  ): RowOf<T>[] {
    const map = tableMapOf(table);
    const entries = Object.entries(match as Match);
    const where = entries.map(([key]) => `${columnOf(map, key)} IS ?`).join(' AND ');
    const order = orderBy ? ` ORDER BY ${columnOf(map, orderBy)}${descending ? ' DESC' : ''}` : '';
    const sql =
      `SELECT ${allColumns(map)} FROM ${map.name}${where ? ` WHERE ${where}` : ''}${order}` +
      (limit === undefined ? '' : ' LIMIT ?');
    const params = entries.map(([key, value]) => map.byKey.get(key)!.encode(value));
    if (limit !== undefined) params.push(limit);
    const raws = readRaw(sql, params);
    return raws.map((raw) => decodeRow(map.columns, raw) as RowOf<T>);
  }

  /** Some columns of the records whose columns equal all the given values: for checks over many records. */
  findParts<T extends SQLiteTable, K extends keyof RowOf<T> & string>(
    { table }: Stored<T>,
    keys: readonly K[],
    match: Partial<RowOf<T>>,
  ): Pick<RowOf<T>, K>[] {
    const map = tableMapOf(table);
    const columns = keys.map((key) => map.byKey.get(key)!);
    const entries = Object.entries(match as Match);
    const where = entries.map(([key]) => `${columnOf(map, key)} IS ?`).join(' AND ') || '1';
    const sql = `SELECT ${keys.map((key) => columnOf(map, key)).join(', ')} FROM ${map.name} WHERE ${where}`;
    const raws = readRaw(
      sql,
      entries.map(([key, value]) => map.byKey.get(key)!.encode(value)),
    );
    return raws.map((raw) => decodeRow(columns, raw) as Pick<RowOf<T>, K>);
  }

  /** The records whose text equals the value in any ASCII case. */
  findAnyCase<T extends SQLiteTable>({ table }: Stored<T>, field: keyof RowOf<T> & string, value: string): RowOf<T>[] {
    const map = tableMapOf(table);
    const where = `lower(${columnOf(map, field)}) = lower(?)`;
    const raws = readRaw(`SELECT ${allColumns(map)} FROM ${map.name} WHERE ${where}`, [value]);
    return raws.map((raw) => decodeRow(map.columns, raw) as RowOf<T>);
  }

  /** The records whose relation field holds the id, alone or in a list. */
  findReferring(
    { table }: Stored,
    { field, id, multiple }: { field: string; id: string; multiple: boolean },
  ): Record<string, unknown>[] {
    const map = tableMapOf(table);
    const column = columnOf(map, field);
    const where = multiple
      ? `EXISTS (SELECT 1 FROM json_each(${asJsonList(column)}) WHERE value = ?)`
      : `${column} = ?`;
    const raws = readRaw(`SELECT ${allColumns(map)} FROM ${map.name} WHERE ${where}`, [id]);
    return raws.map((raw) => decodeRow(map.columns, raw));
  }
}

/** One transaction's writes. Everything is synchronous; change events leave once it has committed. */
export class WriteTransaction extends StoreReader {
  readonly changes: RecordChange[] = [];
  readonly afterCommit: (() => void)[] = [];
  private readonly announced = new Set<string>();

  /** A statement on a table that holds no records. */
  prepare<Row = unknown>(sql: string): ReturnType<typeof prepareWrite<Row>> {
    return prepareWrite<Row>(sql);
  }

  /** Does a part of the work that may fail alone: nothing of it is left then, and it throws. */
  attempt(part: () => void): void {
    const [changes, after] = [this.changes.length, this.afterCommit.length];
    try {
      inSavepoint('part', part);
    } catch (error) {
      this.changes.length = changes;
      this.afterCommit.length = after;
      throw error;
    }
  }

  /** Adds a record; `id` may be chosen. Throws the engine's error when a unique index refuses it. */
  insert<T extends SQLiteTable>(collection: Stored<T>, values: ValuesOf<T>): RowOf<T> {
    const now = wireNow();
    const map = tableMapOf(collection.table);
    const given = { id: newId(), ...defined(values as Match), created: now, updated: now } as Match;
    const row: Match = {};
    for (const { key, defaultValue } of map.columns) row[key] = key in given ? given[key] : defaultValue;
    const marks = map.columns.map(() => '?').join(', ');
    const encoded = map.columns.map((column) => column.encode(row[column.key]));
    prepareWrite(`INSERT INTO ${map.name} (${allColumns(map)}) VALUES (${marks})`).run(...encoded);
    const stored = decodeRow(map.columns, encoded);
    this.record(collection.name, 'create', stored);
    return stored as RowOf<T>;
  }

  /** Sets columns of a record and moves `updated`; undefined when there is no such record. */
  patch<T extends SQLiteTable>(collection: Stored<T>, id: string, values: Partial<ValuesOf<T>>): RowOf<T> | undefined {
    return this.set(collection, id, { ...(values as Match), updated: wireNow() });
  }

  /** Sets columns of a record that the console saw change by itself: `updated` tells what people changed, so it stays. */
  observe<T extends SQLiteTable>(
    collection: Stored<T>,
    id: string,
    values: Partial<ValuesOf<T>>,
  ): RowOf<T> | undefined {
    return this.set(collection, id, values as Match);
  }

  private set<T extends SQLiteTable>(collection: Stored<T>, id: string, values: Match): RowOf<T> | undefined {
    const map = tableMapOf(collection.table);
    const given: Match = defined(values);
    delete given.id;
    const keys = Object.keys(given);
    const set = keys.map((key) => `${columnOf(map, key)} = ?`).join(', ');
    const encoded = keys.map((key) => map.byKey.get(key)!.encode(given[key]));
    const sql = `UPDATE ${map.name} SET ${set} WHERE "id" = ? RETURNING ${allColumns(map)}`;
    const raw = prepareWrite(sql)
      .raw()
      .get(...encoded, id) as unknown[] | undefined;
    if (!raw) return undefined;
    const row = decodeRow(map.columns, raw);
    this.record(collection.name, 'update', row);
    return row as RowOf<T>;
  }

  /** Removes a record and returns it as it was; undefined when there is none. */
  remove<T extends SQLiteTable>(collection: Stored<T>, id: string): RowOf<T> | undefined {
    const row = this.get(collection, id);
    if (!row) return undefined;
    const change = this.announceRemoval(collection, row as Match);
    prepareWrite(`DELETE FROM ${tableMapOf(collection.table).name} WHERE "id" = ?`).run(id);
    this.changes.push(change);
    return row;
  }

  /**
   * Lets listeners look at a record that is about to go. `remove` does this itself; call it first where the grants on the
   * record go before it does, or those who held them don't hear of it.
   */
  announceRemoval(collection: Stored, row: Match): RecordChange {
    const change = this.changeOf(collection.name, 'delete', row);
    const key = `${collection.name}/${change.id}`;
    if (this.announced.has(key)) return change;
    this.announced.add(key);
    for (const listener of changeListeners) {
      const after = beforeDeleteSafely(listener, change);
      if (after) this.afterCommit.push(after);
    }
    return change;
  }

  /**
   * Shows listeners a record as it is now, `updated` unmoved: for what changes all the time and was written in another way.
   */
  announce<T extends SQLiteTable>(collection: Stored<T>, row: RowOf<T>): void {
    this.record(collection.name, 'update', row as Match);
  }

  private record(collection: string, action: RecordChange['action'], row: Match): void {
    this.changes.push(this.changeOf(collection, action, row));
  }

  private changeOf(collection: string, action: RecordChange['action'], row: Match): RecordChange {
    return { collection, action, id: String(row.id), row };
  }
}

function defined(values: Match): Match {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

interface Pending {
  run(tx: WriteTransaction): unknown;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

interface Done {
  entry: Pending;
  tx: WriteTransaction;
  value: unknown;
}

/**
 * Gathers the writes of one turn of the event loop into one BEGIN IMMEDIATE with a SAVEPOINT each, and answers after the
 * COMMIT: one disk flush serves them all. A write that throws is rolled back alone.
 */
class WriteQueue {
  private pending: Pending[] = [];

  add(entry: Pending): void {
    this.pending.push(entry);
    if (this.pending.length === 1) setImmediate(() => this.flush());
  }

  private flush(): void {
    const batch = this.pending;
    this.pending = [];
    const done: Done[] = [];
    const failed: { entry: Pending; error: unknown }[] = [];
    try {
      prepareWrite('BEGIN IMMEDIATE').run();
      for (const entry of batch) {
        try {
          done.push(runEntry(entry));
        } catch (error) {
          // A full or failing disk ends the whole transaction: nothing of the batch is written, and all hear why.
          if (!getDb().sqlite.inTransaction) throw error;
          failed.push({ entry, error });
        }
      }
      prepareWrite('COMMIT').run();
    } catch (error) {
      for (const entry of batch) entry.reject(error);
      rollBack();
      return;
    }
    for (const { entry, error } of failed) entry.reject(error);
    for (const { tx } of done) for (const { collection } of tx.changes) bumpVersion(collection);
    for (const finished of done) announce(finished);
  }
}

function runEntry(entry: Pending): Done {
  const tx = new WriteTransaction();
  const value = inSavepoint('entry', () => {
    const result = entry.run(tx);
    if (result instanceof Promise) throw new Error('A transaction must be synchronous');
    return result;
  });
  return { entry, tx, value };
}

function announce({ entry, tx, value }: Done): void {
  entry.resolve(value);
  tellCommitted(tx.changes, tx.afterCommit);
}

const queue = singleton('write-queue', () => new WriteQueue());

/**
 * Runs `work` in a transaction and resolves with its value once that has committed; rejects with what it threw, nothing
 * written. `work` must be synchronous: do disk and network work before or after.
 */
export function write<T>(work: (tx: WriteTransaction) => T): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    refuseStoppedWrite();
    queue.add({ run: work, resolve: resolve as (value: unknown) => void, reject });
  });
}
