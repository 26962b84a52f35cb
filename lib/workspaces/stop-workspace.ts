import 'server-only';
import { hosts } from '@/lib/hosts/collection';
import type { WorkspaceRow } from './collection';
import { openDeployment, supersedeDeployments } from './deployment-log';
import { getDesired, putDesired } from '@/lib/hosts/link/desired';
import { workspaceKind } from './at-host';
import { waitMessage } from '@/lib/hosts/wait-message';
import { moveWorkspace, statusOf } from './moves';
import { canMoveWorkspace } from '@/lib/vocabulary/workspace-status';
import { actorUserId, type Actor } from '@/lib/policies/actor';
import type { WriteTransaction } from '@/lib/records/transaction';

/**
 * Asks the host to stop what it runs for a workspace; one that only waits for its image's build is stopped at once. The
 * generation stays, the attempt goes up, so that late reports about the start are told apart. The caller has checked the
 * right to deploy and that the action is possible now.
 */
export function stopWorkspace(
  tx: WriteTransaction,
  workspace: WorkspaceRow,
  { actor, reason }: { actor: Actor; reason?: string | undefined },
): WorkspaceRow {
  const deployed = getDesired(workspaceKind, workspace.host, workspace.id)?.spec;
  if (!deployed) {
    supersedeDeployments(tx, workspace.id);
    return moveWorkspace(tx, workspace, { status: 'stopped', message: '', also: { desired: 'stopped' } });
  }
  const spec = { ...deployed, state: 'stopped' as const, attempt: deployed.attempt + 1 };
  putDesired(tx, workspaceKind, { hostId: workspace.host, objectId: workspace.id, spec });
  const host = tx.get(hosts, workspace.host);
  const message = host ? waitMessage(host) : 'The host of this workspace is gone.';
  openDeployment(tx, {
    workspaceId: workspace.id,
    hostId: workspace.host,
    askedBy: actorUserId(actor),
    action: 'stop',
    generation: spec.generation,
    attempt: spec.attempt,
    waitsFor: message,
    reason,
  });
  const status = canMoveWorkspace(statusOf(workspace), 'stopping') ? 'stopping' : 'stopped';
  return moveWorkspace(tx, workspace, {
    status,
    message: status === 'stopping' ? message : '',
    also: { desired: 'stopped' },
  });
}
