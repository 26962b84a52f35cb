import 'server-only';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { lacksSecondFactor } from './required-factor';
import { anyAccountById } from './accounts';
import { listenToCredentialEnds } from './credential-ends';
import { actorUserId, credentialOf, type Actor } from '@/lib/policies/actor';
import { memberships } from '@/lib/policies/rules';
import { listenToChanges, type RecordChange } from '@/lib/records/changes';
import { StoredFacts } from '@/lib/records/facts';
import { StoreReader } from '@/lib/records/transaction';
import { type ActOn, may } from '@/lib/records/acts';

/** Follows a right: `signal` fires once it has ended. */
export interface AccessWatch {
  signal: AbortSignal;
  stop: () => void;
}

/**
 * A signal that fires once the actor may no longer do the act on the record: the grant was taken back, the account was
 * removed, demoted or had its tokens ended, its session or API token is over, or the record is gone. Call `stop` when it is no longer needed.
 */
export function watchAccess<T extends SQLiteTable, A extends string>(actor: Actor, watched: ActOn<T, A>): AccessWatch {
  const controller = new AbortController();
  const tokenKey = anyAccountById(actorUserId(actor))?.tokenKey;
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

function concerns(
  change: RecordChange,
  actor: Actor,
  { collection, id }: { collection: { name: string }; id: string },
): boolean {
  if (change.collection === collection.name) return change.id === id && change.action !== 'create';
  if (change.collection === 'settings') return true;
  if (change.collection === 'users') return change.id === actorUserId(actor);
  const { user, group } = change.row;
  const me = actorUserId(actor);
  if (change.collection === memberships.collection) return user === me;
  if (!change.collection.endsWith('_permissions')) return false;
  return user === me || (group !== '' && new StoredFacts().isMember(String(group), me));
}

/** Asks anew from what is stored: the actor was made when the stream began. */
function mayStill<T extends SQLiteTable, A extends string>(
  actor: Actor,
  { collection, id, act }: ActOn<T, A>,
  tokenKey: string | undefined,
): boolean {
  const row = new StoreReader().get(collection, id);
  if (!row) return false;
  if (actor.kind === 'system') return true;
  const account = anyAccountById(actorUserId(actor));
  if (!account || account.tokenKey !== tokenKey || lacksSecondFactor(account)) return false;
  if (actor.kind === 'admin') return account.isAdmin;
  return may({ kind: 'user', id: account.id, isAdmin: account.isAdmin }, { collection, row, act });
}
