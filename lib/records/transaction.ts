import 'server-only';
import { and, asc, desc, eq, type SQL } from 'drizzle-orm';
import { getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import { getDb } from '@/db/client';
import { wireNow } from '@/lib/clock';
import { newId } from '@/lib/ids';
import { singleton } from '@/lib/singleton';
import { changeListeners, type RecordChange } from './changes';
import type { RowOf, ValuesOf } from './collection';

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

type Columns = Record<string, never>;

function columnsOf(table: SQLiteTable): Columns {
  return table as unknown as Columns;
}

function whereOf(table: SQLiteTable, match: Record<string, unknown>): SQL | undefined {
  return and(...Object.entries(match).map(([key, value]) => eq(columnsOf(table)[key]!, value)));
}

/** Reads of whole records by plain equality, without rights: for commands and for the host link. */
export class StoreReader {
  constructor(protected readonly orm: BetterSQLite3Database = getDb().orm) {}

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
    let query = this.orm.select().from(table as SQLiteTable).where(whereOf(table, match)).$dynamic();
    if (orderBy) query = query.orderBy((descending ? desc : asc)(columnsOf(table)[orderBy]!));
    if (limit !== undefined) query = query.limit(limit);
    return query.all() as RowOf<T>[];
  }
}

/** One transaction's writes. Everything is synchronous; change events leave once it has committed. */
export class WriteTransaction extends StoreReader {
  readonly changes: RecordChange[] = [];
  readonly afterCommit: (() => void)[] = [];

  /** Adds a record; `id` may be chosen. Throws the engine's error when a unique index refuses it. */
  insert<T extends SQLiteTable>(collection: Stored<T>, values: ValuesOf<T>): RowOf<T> {
    const now = wireNow();
    const stamped = { id: newId(), ...(values as object), created: now, updated: now };
    const row = this.orm.insert(collection.table).values(stamped as never).returning().get() as RowOf<T>;
    this.record(collection.name, 'create', row);
    return row;
  }

  /** Sets columns of a record and moves `updated`; undefined when there is no such record. */
  patch<T extends SQLiteTable>(collection: Stored<T>, id: string, values: Partial<ValuesOf<T>>): RowOf<T> | undefined {
    const stamped = { ...(values as object), updated: wireNow() };
    const row = this.orm
      .update(collection.table)
      .set(stamped as never)
      .where(whereOf(collection.table, { id }))
      .returning()
      .get() as RowOf<T> | undefined;
    if (row) this.record(collection.name, 'update', row);
    return row;
  }

  /** Removes a record and returns it as it was; undefined when there is none. */
  remove<T extends SQLiteTable>(collection: Stored<T>, id: string): RowOf<T> | undefined {
    const row = this.get(collection, id);
    if (!row) return undefined;
    const change = this.changeOf(collection.name, 'delete', row);
    for (const listener of changeListeners) {
      const after = listener.beforeDelete?.(change);
      if (after) this.afterCommit.push(after);
    }
    this.orm.delete(collection.table).where(whereOf(collection.table, { id })).run();
    this.changes.push(change);
    return row;
  }

  private record(collection: string, action: RecordChange['action'], row: unknown): void {
    this.changes.push(this.changeOf(collection, action, row));
  }

  private changeOf(collection: string, action: RecordChange['action'], row: unknown): RecordChange {
    const stored = row as Record<string, unknown>;
    return { collection, action, id: String(stored.id), row: stored };
  }
}

interface Pending {
  run(tx: WriteTransaction): unknown;
  resolve(value: unknown): void;
  reject(error: unknown): void;
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
    const { sqlite } = getDb();
    const done: { entry: Pending; tx: WriteTransaction; value: unknown }[] = [];
    const failed: { entry: Pending; error: unknown }[] = [];
    try {
      sqlite.exec('BEGIN IMMEDIATE');
      for (const entry of batch) {
        const tx = new WriteTransaction();
        sqlite.exec('SAVEPOINT entry');
        try {
          const value = entry.run(tx);
          sqlite.exec('RELEASE entry');
          done.push({ entry, tx, value });
        } catch (error) {
          sqlite.exec('ROLLBACK TO entry; RELEASE entry');
          failed.push({ entry, error });
        }
      }
      sqlite.exec('COMMIT');
    } catch (error) {
      if (sqlite.inTransaction) sqlite.exec('ROLLBACK');
      for (const entry of batch) entry.reject(error);
      return;
    }
    for (const { entry, error } of failed) entry.reject(error);
    for (const { entry, tx, value } of done) {
      entry.resolve(value);
      for (const listener of changeListeners) if (tx.changes.length > 0) listener.onCommitted?.(tx.changes);
      for (const after of tx.afterCommit) after();
    }
  }
}

const queue = singleton('write-queue', () => new WriteQueue());

/**
 * Runs `work` in a transaction and resolves with its value once that has committed; rejects with what it threw, nothing
 * written. `work` must be synchronous: do disk and network work before or after.
 */
export function write<T>(work: (tx: WriteTransaction) => T): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    queue.add({ run: work, resolve: resolve as (value: unknown) => void, reject });
  });
}

/** Table names of a collection, for statements that are put together by hand. */
export function tableNameOf(table: SQLiteTable): string {
  return getTableConfig(table).name;
}
