import 'server-only';
import { AppError } from '@/lib/errors';
import type { Actor } from '@/lib/policies/actor';
import { mayAct } from '@/lib/records/can';
import { collectionNamed } from '@/lib/records/registry';
import { StoreReader } from '@/lib/records/transaction';

/** How many workspaces have the volume that the actor may not see. */
export function countHiddenUsers(actor: Actor, volumeId: string): number {
  const workspaces = collectionNamed('workspaces');
  if (!workspaces) throw new AppError('internal', 'There are no workspaces.');
  const users = new StoreReader().findReferring(workspaces, { field: 'volumes', id: volumeId, multiple: true });
  return users.filter((row) => !mayAct(workspaces, { actor, act: 'view', row })).length;
}
