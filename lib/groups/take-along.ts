import { groupMembersTable, type groupsTable } from '@/db/schema/groups';
import { memberships } from '@/lib/policies/rules';
import type { Actor } from '@/lib/policies/actor';
import type { AnyRow, RowOf } from '@/lib/records/collection';
import { allCollections } from '@/lib/records/registry';
import { removeInside } from '@/lib/records/remover';
import type { WriteTransaction } from '@/lib/records/transaction';

/**
 * What a group holds goes with it, while its members are still known: they hear of it. Then they go themselves, without
 * being counted one by one.
 */
export function takeAlong({
  actor,
  tx,
  row: { id: group },
}: {
  actor: Actor;
  tx: WriteTransaction;
  row: RowOf<typeof groupsTable>;
}): void {
  for (const collection of allCollections()) {
    const isHeldByGroups = collection.fields.get('group')?.relation?.collection === 'groups';
    if (!isHeldByGroups || collection.name === memberships.collection) continue;
    for (const held of tx.find(collection, { group } as never) as AnyRow[]) {
      removeInside(collection, { actor, tx, row: held });
    }
  }
  const members = { name: memberships.collection, table: groupMembersTable };
  for (const { id } of tx.find(members, { group })) tx.remove(members, id);
}
