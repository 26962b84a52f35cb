import 'server-only';
import { AppError } from '@/lib/errors';
import { imagePermissions } from '@/lib/collections/image-permissions';
import { workspacePermissions } from '@/lib/collections/workspace-permissions';
import { images } from '@/lib/collections/images';
import { workspaces } from '@/lib/collections/workspaces';
import { actorUserId, hasFullAccess, type Actor } from '@/lib/policies/actor';
import { StoreReader } from '@/lib/records/transaction';
import type { ImageRow } from '@/lib/hosts/workspace-deploys';
import type { WorkspaceRow } from '@/lib/hosts/workspace-moves';

export const NOT_FOUND = "The requested resource wasn't found.";

interface RowByCollection {
  workspaces: WorkspaceRow;
  images: ImageRow;
}
export type ActedCollection = keyof RowByCollection;
export type Act = 'view' | 'deploy' | 'build' | 'modify' | 'delete' | 'attach';

/** Whether the actor may do the act on the record as it is stored. */
export function may(
  actor: Actor,
  { collection, row, act, reader }: { collection: ActedCollection; row: { id: string; created_by: string }; act: Act; reader: StoreReader },
): boolean {
  if (hasFullAccess(actor)) return true;
  const user = actorUserId(actor);
  if (user === '') return false;
  if (row.created_by === user) return true;
  const granted =
    collection === 'workspaces'
      ? reader.find(workspacePermissions, { user, workspace: row.id })[0]
      : reader.find(imagePermissions, { user, image: row.id })[0];
  if (!granted) return false;
  const flags = granted as unknown as Record<string, unknown>;
  return flags[act] === true || (act === 'view' && Object.values(flags).includes(true));
}

/** The record, when the actor may do the act on it. Throws `not_found` when it may not even be seen, `forbidden` otherwise. */
export function requireAct<C extends ActedCollection>(
  actor: Actor,
  { collection, id, act, reader = new StoreReader() }: { collection: C; id: string; act: Act; reader?: StoreReader },
): RowByCollection[C] {
  const row = collection === 'workspaces' ? reader.get(workspaces, id) : reader.get(images, id);
  if (!row || !may(actor, { collection, row, act: 'view', reader })) throw new AppError('not_found', NOT_FOUND);
  if (!may(actor, { collection, row, act, reader })) {
    throw new AppError('forbidden', 'You are not allowed to perform this request.');
  }
  return row as RowByCollection[C];
}
