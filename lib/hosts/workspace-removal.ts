import 'server-only';
import { deployments } from '@/lib/collections/deployments';
import { workspacePermissions } from '@/lib/collections/workspace-permissions';
import { workspaces } from '@/lib/collections/workspaces';
import type { WriteTransaction } from '@/lib/records/transaction';

/** Removes a workspace's record with its permissions and its history; does nothing when it is gone already. */
export function removeWorkspaceRecords(tx: WriteTransaction, workspaceId: string): void {
  const workspace = tx.get(workspaces, workspaceId);
  if (!workspace) return;
  for (const { id } of tx.find(deployments, { workspace: workspaceId })) tx.remove(deployments, id);
  // Before its permissions: they decide who is told.
  tx.remove(workspaces, workspaceId);
  for (const { id } of tx.find(workspacePermissions, { workspace: workspaceId })) tx.remove(workspacePermissions, id);
}
