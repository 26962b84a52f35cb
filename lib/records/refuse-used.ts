import type { Actor } from '@/lib/policies/actor';
import { mayAct } from './can';
import { deleteBlockedBy } from './messages';
import { collectionNamed } from './registry';
import type { WriteTransaction } from './transaction';

interface Asked {
  tx: WriteTransaction;
  actor: Actor;
}

/**
 * Throws where records of a collection still need what is to go. Those that the actor may see are named, in the words of the
 * refusal, and the others counted.
 */
export function refuseUsed(
  { tx, actor }: Asked,
  collectionName: string,
  users: readonly { id: string; name: string }[],
): void {
  if (users.length === 0) return;
  const collection = collectionNamed(collectionName);
  const seen = users.filter(({ id }) => {
    const row = collection && tx.get(collection, id);
    return row && mayAct(collection, { actor, act: 'view', row });
  });
  const names = seen.map(({ name }) => name);
  throw deleteBlockedBy(collectionName.replace(/s$/, ''), names, users.length - seen.length);
}
