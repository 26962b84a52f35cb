import 'server-only';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { AppError, NOT_FOUND_MESSAGE } from '@/lib/errors';
import type { Actor } from '@/lib/policies/actor';
import { mayAct } from './can';
import type { Collection, RowOf } from './collection';
import { StoreReader } from './transaction';

/** An act on a record: one that the policy of its collection names, as each names `view`. */
export interface ActOn<T extends SQLiteTable = SQLiteTable, A extends string = string> {
  collection: Collection<T, A | 'view'>;
  id: string;
  act: NoInfer<A> | 'view';
}

const NOT_ALLOWED = 'You are not allowed to perform this request.';

function mayNotDelete(collection: string): string {
  return `You do not have permission to delete this ${collection.replace(/s$/, '')}.`;
}

/** Whether the actor may do the act on the record. */
export function may<T extends SQLiteTable, A extends string>(
  actor: Actor,
  { collection, row, act }: { collection: Collection<T, A>; row: RowOf<T>; act: NoInfer<A> },
): boolean {
  return mayAct(collection, { actor, act, row: row as Record<string, unknown> });
}

/**
 * The record, when the actor may do the act on it. Throws AppError `not_found` when it may not even be seen, `forbidden`
 * otherwise.
 */
export function requireAct<T extends SQLiteTable, A extends string>(
  actor: Actor,
  { collection, id, act, reader = new StoreReader() }: ActOn<T, A> & { reader?: StoreReader },
): RowOf<T> {
  const row = reader.get(collection, id);
  if (!row || !may(actor, { collection, row, act: 'view' })) throw new AppError('not_found', NOT_FOUND_MESSAGE);
  if (!may(actor, { collection, row, act })) {
    throw new AppError('forbidden', act === 'delete' ? mayNotDelete(collection.name) : NOT_ALLOWED);
  }
  return row;
}
