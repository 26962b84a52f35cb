import 'server-only';
import { images } from '@/lib/collections/images';
import { workspaces } from '@/lib/collections/workspaces';
import { AppError, NOT_FOUND_MESSAGE } from '@/lib/errors';
import type { ImageRow } from '@/lib/hosts/workspace-deploys';
import type { WorkspaceRow } from '@/lib/hosts/workspace-moves';
import type { Actor } from '@/lib/policies/actor';
import { mayAct } from '@/lib/records/can';
import { StoreReader } from '@/lib/records/transaction';

interface RowByCollection {
  workspaces: WorkspaceRow;
  images: ImageRow;
}
export type ActedCollection = keyof RowByCollection;
/** Acts that the policies of both collections, or of the one that is meant, know. */
export type Act = 'view' | 'deploy' | 'build' | 'modify' | 'delete' | 'attach';

interface Asked<C extends ActedCollection> {
  collection: C;
  id: string;
  act: Act;
  reader?: StoreReader;
}

/** The record as it is stored, without asking for rights; undefined when there is none. */
export function findActed<C extends ActedCollection>(
  { collection, id }: { collection: C; id: string },
  reader = new StoreReader(),
): RowByCollection[C] | undefined {
  const row = collection === 'workspaces' ? reader.get(workspaces, id) : reader.get(images, id);
  return row as RowByCollection[C] | undefined;
}

/** Whether the actor may do the act on the record. */
export function may<C extends ActedCollection>(
  actor: Actor,
  { collection, row, act }: { collection: C; row: RowByCollection[C]; act: Act },
): boolean {
  const asked = { actor, act, row: row as unknown as Record<string, unknown> };
  return collection === 'workspaces' ? mayAct(workspaces, asked) : mayAct(images, asked);
}

/** The record, when the actor may do the act on it. Throws `not_found` when it may not even be seen, `forbidden` otherwise. */
export function requireAct<C extends ActedCollection>(
  actor: Actor,
  { collection, id, act, reader }: Asked<C>,
): RowByCollection[C] {
  const row = findActed({ collection, id }, reader);
  if (!row || !may(actor, { collection, row, act: 'view' })) throw new AppError('not_found', NOT_FOUND_MESSAGE);
  if (!may(actor, { collection, row, act })) {
    throw new AppError('forbidden', 'You are not allowed to perform this request.');
  }
  return row;
}
