import 'server-only';
import { actorOfUser } from '@/lib/auth/actor';
import { AppError } from '@/lib/errors';
import type { Actor } from '@/lib/policies/actor';
import type { WorkspaceRow } from './collection';
import { prepareRequest } from './request-workspace';

/** Who a workspace's owner is to the rules now; undefined for one who may nothing at the moment, or is gone. */
export function ownerOf({ created_by }: WorkspaceRow): Actor | undefined {
  const owner = created_by === '' ? undefined : actorOfUser(created_by);
  return owner?.kind === 'guest' ? undefined : owner;
}

/** Whether what an owner's start needs beforehand is there; what the start itself is refused for is told later. */
export async function prepareOwnersStart(row: WorkspaceRow): Promise<boolean> {
  const owner = ownerOf(row);
  if (!owner) return false;
  try {
    await prepareRequest(owner, { workspaceId: row.id, action: 'start' });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
  return true;
}
