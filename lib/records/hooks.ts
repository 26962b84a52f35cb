import { singleton } from '@/lib/singleton';
import type { Actor } from '@/lib/policies/actor';
import type { AnyRow } from './collection';
import type { WriteTransaction } from './transaction';

/** What the record API just did to a record, still inside its transaction. */
export interface AfterWrite {
  action: 'create' | 'update' | 'delete';
  tx: WriteTransaction;
  /** The record as stored; for a delete, as it last was. */
  row: AnyRow;
  /** As it was before; undefined on create. */
  before: AnyRow | undefined;
  actor: Actor;
}
export type AfterWriteHook = (event: AfterWrite) => void;
export type AfterAnyWriteHook = (collection: string, event: AfterWrite) => void;

/** Deletes a record in its own way, such as over its host; resolves once the deletion was accepted. */
export type DeleteThrough = (request: { actor: Actor; row: AnyRow }) => Promise<void>;

const afterWrites = singleton('after-write-hooks', () => new Map<string, Set<AfterWriteHook>>());
const afterAnyWrites = singleton('after-any-write-hooks', () => new Set<AfterAnyWriteHook>());
const deleteThroughs = singleton('delete-through', () => new Map<string, DeleteThrough>());

/** Runs `hook` in the transaction of every record API write to the collection; the returned function takes it back. */
export function registerAfterWrite(collection: string, hook: AfterWriteHook): () => void {
  const hooks = afterWrites.get(collection) ?? new Set();
  afterWrites.set(collection, hooks.add(hook));
  return () => hooks.delete(hook);
}

/** The same for the writes of every collection. */
export function registerAfterAnyWrite(hook: AfterAnyWriteHook): () => void {
  afterAnyWrites.add(hook);
  return () => afterAnyWrites.delete(hook);
}

export function runAfterWrite(collection: string, event: AfterWrite): void {
  for (const hook of afterWrites.get(collection) ?? []) hook(event);
  for (const hook of afterAnyWrites) hook(collection, event);
}

/** Sends the record API's deletes of the collection through `remove`; the returned function takes it back. */
export function registerDeleteThrough(collection: string, remove: DeleteThrough): () => void {
  deleteThroughs.set(collection, remove);
  return () => deleteThroughs.delete(collection);
}

export function deleteThroughOf(collection: string): DeleteThrough | undefined {
  return deleteThroughs.get(collection);
}
