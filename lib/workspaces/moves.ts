import 'server-only';
import { type WorkspaceRow, workspaces } from './collection';
import { nowMs, wireNow } from '@/lib/clock';
import { canMoveWorkspace, type WorkspaceStatus } from '@/lib/vocabulary/workspace-status';
import { afterMove } from './times/plan';
import type { WriteTransaction } from '@/lib/records/transaction';

/** A record that was never asked to run counts as stopped. */
export function statusOf(workspace: Pick<WorkspaceRow, 'status'>): WorkspaceStatus {
  return (workspace.status || 'stopped') as WorkspaceStatus;
}

/**
 * Moves a workspace to a status, noting since when, together with other columns. A move that the table forbids leaves the
 * status and its message as they are and sets the rest.
 */
export function moveWorkspace(
  tx: WriteTransaction,
  workspace: WorkspaceRow,
  move: { status: WorkspaceStatus; message: string; also?: Partial<WorkspaceRow>; isObserved?: boolean },
): WorkspaceRow {
  const from = statusOf(workspace);
  const patch: Partial<WorkspaceRow> = { ...move.also };
  if (canMoveWorkspace(from, move.status)) {
    patch.status = move.status;
    patch.statusMessage = move.message;
    if (workspace.status !== move.status) patch.statusSince = wireNow();
  }
  Object.assign(patch, afterMove(workspace, { ...workspace, ...patch }, nowMs()));
  const stored = move.isObserved
    ? tx.observe(workspaces, workspace.id, patch)
    : tx.patch(workspaces, workspace.id, patch);
  return stored ?? workspace;
}
