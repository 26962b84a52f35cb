import 'server-only';
import { workspaces } from './collection';
import { system } from '@/lib/policies/actor';
import { removeInside } from '@/lib/records/remover';
import type { WriteTransaction } from '@/lib/records/transaction';

/** Removes a workspace's record with its permissions, history and files; does nothing when it is gone already. */
export function removeWorkspaceRecords(tx: WriteTransaction, workspaceId: string): void {
  const row = tx.get(workspaces, workspaceId);
  if (row) removeInside(workspaces, { actor: system, tx, row });
}
