import 'server-only';
import { users } from '@/lib/collections/users';
import { lacksSecondFactor } from '@/lib/collections/security-setting';
import { listenToCredentialEnds } from '@/lib/credential-ends';
import { actorUserId, credentialOf, type Actor } from '@/lib/policies/actor';
import { listenToChanges, type RecordChange } from '@/lib/records/changes';
import { StoreReader } from '@/lib/records/transaction';
import { type Act, type ActedCollection, findActed, may } from './rights';

interface Watched {
  collection: ActedCollection;
  id: string;
  act: Act;
}

/**
 * A signal that fires once the actor may no longer do the act on the record: the grant was taken back, the account was
 * removed, demoted or had its tokens ended, its session or API token is over, or the record is gone. Call `stop` when it is no longer needed.
 */
export function watchAccess(actor: Actor, watched: Watched): { signal: AbortSignal; stop: () => void } {
  const controller = new AbortController();
  const tokenKey = new StoreReader().get(users, actorUserId(actor))?.tokenKey;
  const by = credentialOf(actor);
  const stopChanges = listenToChanges({
    onCommitted(changes) {
      if (!changes.some((change) => concerns(change, actor, watched)) || mayStill(actor, watched, tokenKey)) return;
      revoke();
    },
  });
  const stopEnds = listenToCredentialEnds((ended) => {
    if (by && ended.has(by.id)) revoke();
  });
  const stop = () => {
    stopChanges();
    stopEnds();
  };
  const revoke = () => {
    stop();
    controller.abort();
  };
  return { signal: controller.signal, stop };
}

function concerns(change: RecordChange, actor: Actor, { collection, id }: Watched): boolean {
  if (change.collection === collection) return change.id === id && change.action !== 'create';
  if (change.collection === 'settings') return true;
  if (change.collection === 'users') return change.id === actorUserId(actor);
  return change.collection.endsWith('_permissions') && change.row.user === actorUserId(actor);
}

/** Asks anew from what is stored: the actor was made when the stream began. */
function mayStill(actor: Actor, { collection, id, act }: Watched, tokenKey: string | undefined): boolean {
  const reader = new StoreReader();
  const row = findActed({ collection, id }, reader);
  if (!row) return false;
  if (actor.kind === 'system') return true;
  const account = reader.get(users, actorUserId(actor));
  if (!account || account.tokenKey !== tokenKey || lacksSecondFactor(account)) return false;
  if (actor.kind === 'admin') return account.isAdmin;
  return may({ kind: 'user', id: account.id, isAdmin: account.isAdmin }, { collection, row, act });
}
