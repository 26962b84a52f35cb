import 'server-only';
import { AppError } from '@/lib/errors';
import type { Actor } from '@/lib/policies/actor';
import { DELETE_BLOCKED } from './messages';
import type { AnyRow, Collection } from './collection';
import { deleteThroughOf, runAfterWrite } from './hooks';
import { refuseClosed } from './reader';
import { allCollections } from './registry';
import { removeStoredFiles } from './stored-files';
import { StoreReader, write, type WriteTransaction } from './transaction';
import { findWritable } from './writer';

/**
 * Deletes a record and what hangs on it. Where a way was registered for the collection, such as over its host, that way
 * takes over once the delete was found to be allowed. Throws AppError `not_found`, or `invalid` when others need the record.
 */
export async function deleteRecord(collection: Collection, actor: Actor, id: string): Promise<void> {
  refuseClosed(collection, 'delete', actor);
  const deleteThrough = deleteThroughOf(collection.name);
  if (deleteThrough) {
    const row = findWritable(collection, actor, { id, action: 'delete', store: new StoreReader() });
    return deleteThrough({ actor, row });
  }
  await write((tx) => {
    const row = findWritable(collection, actor, { id, action: 'delete', store: tx });
    removeInside(collection, { actor, tx, row });
  });
}

/** Deletes a record and what hangs on it inside a transaction, without asking for rights. */
export function removeInside(
  collection: Collection,
  { actor, tx, row }: { actor: Actor; tx: WriteTransaction; row: AnyRow },
): void {
  collection.hooks.beforeDelete?.({ actor, tx, row });
  tx.announceRemoval(collection, row);
  for (const referring of allCollections()) treatReferences(referring, collection, { actor, tx, row });
  const id = String(row.id);
  if (!tx.remove(collection, id)) return;
  runAfterWrite(collection.name, { action: 'delete', tx, row, before: row, actor });
  const holdsFiles = [...collection.fields.values()].some(({ file }) => file);
  if (holdsFiles) tx.afterCommit.push(() => void removeStoredFiles(collection.id, id));
}

/** Takes the id out of whatever refers to the record; what is then left without a required or cascading value goes too. */
function treatReferences(
  referring: Collection,
  collection: Collection,
  scope: { actor: Actor; tx: WriteTransaction; row: AnyRow },
): void {
  const { tx } = scope;
  const id = String(scope.row.id);
  for (const [name, field] of referring.fields) {
    if (field.relation?.collection !== collection.name) continue;
    for (const other of tx.findReferring(referring, { field: name, id, multiple: field.multiple })) {
      const rest = field.multiple ? (other[name] as string[]).filter((item) => item !== id) : '';
      if (rest.length > 0) tx.patch(referring, String(other.id), { [name]: rest } as never);
      else if (field.relation.cascadeDelete) removeInside(referring, { ...scope, row: other });
      else if (field.options.required) throw new AppError('invalid', DELETE_BLOCKED);
      else tx.patch(referring, String(other.id), { [name]: rest } as never);
    }
  }
}
