import 'server-only';
import type { ImageRow } from '@/lib/images/collection';
import { deployments } from './deployments';
import { hosts, type HostRow } from '@/lib/hosts/collection';
import { workspaces, type WorkspaceRow } from './collection';
import { buildWorkspaceSpec } from './spec';
import type { WorkspaceStatus } from '@/lib/vocabulary/workspace-status';
import type { StoreReader, WriteTransaction } from '@/lib/records/transaction';
import { listHolders } from '@/lib/hosts/link/desired-objects';
import { wireNow } from '@/lib/clock';
import { isReachableFrom } from '@/lib/vocabulary/image-reference';
import { addStep, finishDeployment, type DeploymentRow } from './deployment-log';
import { putDesired } from '@/lib/hosts/link/desired';
import { moveWorkspace, statusOf } from './moves';

/** What a workspace waits for until its host acts: shown as its status message. */
export function waitMessage(host: Pick<HostRow, 'name' | 'status' | 'lastHeartbeat'>): string {
  if (host.status === 'online') return `Waiting for host ${host.name}`;
  const seen = host.lastHeartbeat === '' ? 'never seen yet' : `last seen ${host.lastHeartbeat}`;
  return `Waiting for host ${host.name}, ${seen}`;
}

/** Why a host can't run an image; empty when it can. */
export function unreachableReason(image: ImageRow, host: HostRow, reader: StoreReader): string {
  if (isReachableFrom(image, host.id)) return '';
  const builtOn = reader.get(hosts, image.build_on)?.name ?? 'another host';
  return `Image ${image.name} was built on ${builtOn} and is not pushed to a registry, so host ${host.name} can't get it.`;
}

/** Asks a workspace's host to run its record as it is, as the given generation and attempt. */
export function putWorkspaceSpec(
  tx: WriteTransaction,
  about: { workspace: WorkspaceRow; image: ImageRow; host: HostRow; generation: number; attempt: number },
): WorkspaceRow {
  const { workspace, image, host, generation, attempt } = about;
  const spec = buildWorkspaceSpec(workspace, image, host, { generation, attempt });
  for (const hostId of listHolders('workspace', workspace.id)) {
    // It was moved: the host before lets go of it.
    if (hostId !== host.id) putDesired(tx, { hostId, kind: 'workspace', objectId: workspace.id, spec: null });
  }
  putDesired(tx, { hostId: host.id, kind: 'workspace', objectId: workspace.id, spec });
  return moveWorkspace(tx, workspace, {
    status: 'deployment_pending',
    message: waitMessage(host),
    also: { desired: 'running', generation },
  });
}

/** The workspaces that wait for an image's build. */
function findWaiting(tx: WriteTransaction, imageId: string): WorkspaceRow[] {
  const waiting: WorkspaceStatus[] = ['build_pending', 'building'];
  return waiting.flatMap((status) => tx.find(workspaces, { image: imageId, status, desired: 'running' }));
}

/** Shows in the waiting workspaces how far their image's build is. */
export function showBuildProgress(tx: WriteTransaction, image: ImageRow, status: 'build_pending' | 'building'): void {
  for (const workspace of findWaiting(tx, image.id)) {
    if (statusOf(workspace) === status) continue;
    const verb = status === 'building' ? 'is being built' : 'waits to be built';
    moveWorkspace(tx, workspace, { status, message: `Image ${image.name} ${verb}` });
  }
}

/** Sends the waiting workspaces to their hosts now that the image is built. */
export function deployWaiting(tx: WriteTransaction, image: ImageRow): void {
  for (const workspace of findWaiting(tx, image.id)) {
    const host = tx.get(hosts, workspace.host);
    const reason = host ? unreachableReason(image, host, tx) : 'The host of this workspace is gone.';
    if (!host || reason) {
      failWorkspace(tx, workspace, reason);
      continue;
    }
    const deployment = pendingDeployment(tx, workspace);
    const attempt = deployment?.attempt ?? 0;
    putWorkspaceSpec(tx, { workspace, image, host, generation: workspace.generation, attempt });
    if (deployment)
      addStep(tx, deployment, { key: 'queued', status: 'running', message: waitMessage(host), at: wireNow() });
  }
}

/** Gives up on the waiting workspaces, as their image won't come. */
export function failWaiting(tx: WriteTransaction, image: ImageRow, reason: string): void {
  for (const workspace of findWaiting(tx, image.id)) failWorkspace(tx, workspace, reason);
}

function failWorkspace(tx: WriteTransaction, workspace: WorkspaceRow, message: string): void {
  moveWorkspace(tx, workspace, { status: 'error', message });
  const deployment = pendingDeployment(tx, workspace);
  if (deployment) finishDeployment(tx, deployment, { status: 'failed', message });
}

function pendingDeployment(tx: WriteTransaction, workspace: WorkspaceRow): DeploymentRow | undefined {
  return tx.find(deployments, { workspace: workspace.id, status: 'pending' }, { limit: 1 })[0];
}
