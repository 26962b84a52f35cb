import 'server-only';
import { workspaces } from '@/lib/collections/workspaces';
import { wireNow } from '@/lib/clock';
import type { WorkspaceStatus } from '@/lib/domain/workspace-status';
import type { StoredWorkspaceSpec } from '@/lib/domain/workspace-spec';
import type { ObservedWorkspace } from '@/lib/protocol/calls';
import type { WriteTransaction } from '@/lib/records/transaction';
import { removeObject } from '@/lib/stores/desired-objects';
import { putPrunedRevision } from '@/lib/stores/host-identities';
import { findDeployment, finishDeployment } from './deployments';
import { getDesired } from './desired';
import { removeWorkspaceRecords } from './workspace-removal';
import { moveWorkspace, statusOf, type WorkspaceRow } from './workspace-moves';

/**
 * Brings a workspace's record up to what its host observed. What is about another generation or attempt than the one
 * asked for last is ignored: a later report follows.
 */
export function applyObserved(tx: WriteTransaction, hostId: string, observed: ObservedWorkspace): void {
  const desired = getDesired(hostId, 'workspace', observed.id);
  if (!desired) return;
  if (desired.spec === null) return applyToTombstone(tx, { hostId, revision: desired.revision, observed });
  const workspace = tx.get(workspaces, observed.id);
  if (!workspace || workspace.host !== hostId) return;
  const { spec } = desired;
  if (observed.generation !== spec.generation || observed.attempt !== spec.attempt) return;
  const status = adaptStatus(workspace, spec, observed);
  moveWorkspace(tx, workspace, {
    isObserved: true,
    status,
    message: status === statusOf(workspace) && isWaiting(status) ? workspace.statusMessage : messageOf(observed),
    also: {
      observedGeneration: observed.generation,
      observedAt: wireNow(),
      observedPorts: observed.ports,
      containerId: observed.containerId,
    },
  });
  finish(tx, spec, observed);
}

function isWaiting(status: WorkspaceStatus): boolean {
  return status === 'build_pending' || status === 'building';
}

/** The status to show for what was observed, given what is asked for at the moment. */
function adaptStatus(workspace: WorkspaceRow, spec: StoredWorkspaceSpec, observed: ObservedWorkspace): WorkspaceStatus {
  const present = statusOf(workspace);
  // The old container lives on while the new image is built.
  if (isWaiting(present)) return present;
  const seen: WorkspaceStatus = observed.status === 'absent' ? 'stopped' : observed.status;
  const isUp = seen === 'deploying' || seen === 'starting' || seen === 'running';
  if (spec.state === 'stopped' && isUp) return 'stopping';
  // A redeploy stops the old container where a fixed port forbids two.
  if (spec.state === 'running' && seen === 'stopping') return 'deploying';
  return seen;
}

function messageOf({ message, retries }: ObservedWorkspace): string {
  return retries > 0 && message !== '' ? `${message} (tried ${retries + 1} times)` : message;
}

function finish(tx: WriteTransaction, spec: StoredWorkspaceSpec, observed: ObservedWorkspace): void {
  const hasArrived = observed.status === spec.state || (spec.state === 'stopped' && observed.status === 'absent');
  if (!hasArrived && observed.status !== 'error') return;
  const about = { workspaceId: observed.id, generation: spec.generation, attempt: spec.attempt };
  const deployment = findDeployment(tx, about);
  if (!deployment) return;
  finishDeployment(tx, deployment, { status: hasArrived ? 'succeeded' : 'failed', message: messageOf(observed) });
}

/** Of a workspace that is to go only two things count: that it is gone, and what stands in the way. */
function applyToTombstone(
  tx: WriteTransaction,
  { hostId, revision, observed }: { hostId: string; revision: number; observed: ObservedWorkspace },
): void {
  const workspace = tx.get(workspaces, observed.id);
  // One that was moved to another host, or forced out, only leaves this host.
  const isLeaving = workspace?.host === hostId && workspace.desired === 'absent';
  if (observed.status === 'absent') {
    removeObject(tx, hostId, 'workspace', observed.id);
    putPrunedRevision(tx, hostId, revision);
    if (isLeaving) removeWorkspaceRecords(tx, observed.id);
    return;
  }
  if (!isLeaving || observed.status !== 'error') return;
  moveWorkspace(tx, workspace, {
    status: 'error',
    message: messageOf(observed),
    isObserved: true,
    also: { observedAt: wireNow() },
  });
}
