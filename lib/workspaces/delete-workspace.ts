import 'server-only';
import { hosts } from '@/lib/hosts/collection';
import { workspaces, type WorkspaceRow } from './collection';
import { AppError } from '@/lib/errors';
import { supersedeDeployments } from './deployment-log';
import { getDesired, putDesired } from '@/lib/hosts/link/desired';
import { workspaceKind } from './at-host';
import { waitMessage } from '@/lib/hosts/wait-message';
import { removeWorkspaceRecords } from './removal';
import { moveWorkspace, statusOf } from './moves';
import { canMoveWorkspace } from '@/lib/vocabulary/workspace-status';
import { hasFullAccess, type Actor } from '@/lib/policies/actor';
import { recordAudit } from '@/lib/records/audit';
import { registerDeleteThrough } from '@/lib/records/hooks';
import { write, type WriteTransaction } from '@/lib/records/transaction';

/**
 * Asks the host to remove a workspace; its record goes when the host has confirmed, or now when the host holds nothing of
 * it or an admin forces it. Forced or not, the host removes its container as soon as it can. Answers the record as it is,
 * undefined once it is gone. Throws `forbidden` when someone else than an admin forces. The caller has checked the right.
 */
export function deleteWorkspace(
  tx: WriteTransaction,
  workspace: WorkspaceRow,
  how: { actor: Actor; force: boolean },
): WorkspaceRow | undefined {
  if (how.force && !hasFullAccess(how.actor)) {
    throw new AppError('forbidden', 'Only admins may delete without the host.');
  }
  const host = tx.get(hosts, workspace.host);
  const desired = getDesired(workspaceKind, workspace.host, workspace.id);
  if (desired?.spec) putDesired(tx, workspaceKind, { hostId: workspace.host, objectId: workspace.id, spec: null });
  if (how.force || !host || !desired) {
    removeWorkspaceRecords(tx, workspace.id);
    return undefined;
  }
  supersedeDeployments(tx, workspace.id);
  const present = statusOf(workspace);
  const status = canMoveWorkspace(present, 'stopping') ? 'stopping' : 'stopped';
  const message = `Being deleted. ${waitMessage(host)}`;
  return moveWorkspace(tx, workspace, { status, message, also: { desired: 'absent' } });
}

/** The record API's deletes go over the host. It has checked the right; the record is read again inside the transaction. */
export function registerWorkspaceDeletes(): void {
  registerDeleteThrough('workspaces', ({ actor, row }) =>
    write((tx) => {
      const workspace = tx.get(workspaces, String(row.id));
      if (!workspace) return;
      deleteWorkspace(tx, workspace, { actor, force: false });
      const on = { collection: 'workspaces', record: workspace.id, name: workspace.name };
      recordAudit(tx, { action: 'workspace.delete', actor, on });
    }),
  );
}
