import 'server-only';
import { actorOfUser } from '@/lib/auth/actor';
import { wireNow } from '@/lib/clock';
import { AppError } from '@/lib/errors';
import { type HostRow, hosts } from '@/lib/hosts/collection';
import { closedProblem } from '@/lib/hosts/takes-new';
import { waitMessage } from '@/lib/hosts/wait-message';
import { type BuildNews, listenToBuildNews } from '@/lib/images/build-news';
import type { ImageRow } from '@/lib/images/collection';
import { unreachableReason } from '@/lib/images/reachable';
import type { Actor } from '@/lib/policies/actor';
import type { WriteTransaction } from '@/lib/records/transaction';
import type { WorkspaceStatus } from '@/lib/vocabulary/workspace-status';
import { AS_USUAL } from '@/lib/vocabulary/redeploy';
import { type WorkspaceRow, workspaces } from './collection';
import { addStep, type DeploymentRow, finishDeployment, optionsOf } from './deployment-log';
import { requireDeployRights } from './deploy-rights';
import { hostRefusal } from './host-rules';
import { requireResources } from './resource-rules';
import { deployments } from './deployments';
import { moveWorkspace, statusOf } from './moves';
import { putWorkspaceSpec, requirePullAccount } from './put-spec';

/** Has the workspaces that wait for an image's build go on, or give up, with it. */
export function registerWaitForImage(): void {
  listenToBuildNews(takeBuildNews);
}

function takeBuildNews(tx: WriteTransaction, { image, state, reason }: BuildNews): void {
  switch (state) {
    case 'queued':
      return showBuildProgress(tx, image, 'build_pending');
    case 'building':
      return showBuildProgress(tx, image, 'building');
    case 'built':
      return deployWaiting(tx, image);
    case 'cancelled':
    case 'failed':
      for (const workspace of findWaiting(tx, image.id)) failWorkspace(tx, workspace, reason);
  }
}

/** The workspaces that wait for an image's build. */
function findWaiting(tx: WriteTransaction, imageId: string): WorkspaceRow[] {
  const waiting: WorkspaceStatus[] = ['build_pending', 'building'];
  return waiting.flatMap((status) => tx.find(workspaces, { image: imageId, status, desired: 'running' }));
}

/** Shows in the waiting workspaces how far their image's build is. */
function showBuildProgress(tx: WriteTransaction, image: ImageRow, status: 'build_pending' | 'building'): void {
  for (const workspace of findWaiting(tx, image.id)) {
    if (statusOf(workspace) === status) continue;
    const verb = status === 'building' ? 'is being built' : 'waits to be built';
    moveWorkspace(tx, workspace, { status, message: `Image ${image.name} ${verb}` });
  }
}

/** Sends the waiting workspaces to their hosts now that the image is built. */
function deployWaiting(tx: WriteTransaction, image: ImageRow): void {
  for (const workspace of findWaiting(tx, image.id)) {
    const host = tx.get(hosts, workspace.host);
    const deployment = pendingDeployment(tx, workspace);
    const actor = actorOfUser(deployment?.created_by ?? workspace.created_by);
    const reason = host
      ? closedProblem(host)?.message ||
        unreachableReason(image, host, tx) ||
        hostRefusal(host, workspace) ||
        lostRights(tx, { workspace, image, host, actor })
      : 'The host of this workspace is gone.';
    if (!host || reason) {
      failWorkspace(tx, workspace, reason);
      continue;
    }
    const attempt = deployment?.attempt ?? 0;
    const isRedeploy = deployment?.action === 'redeploy';
    const options = deployment ? optionsOf(deployment) : AS_USUAL;
    const { generation } = workspace;
    putWorkspaceSpec(tx, { workspace, image, host, generation, attempt, isRedeploy, actor, options });
    if (deployment)
      addStep(tx, deployment, { key: 'queued', status: 'running', message: waitMessage(host), at: wireNow() });
  }
}

/** Why who asked may not deploy it any more; empty when nothing stands in the way. */
function lostRights(
  tx: WriteTransaction,
  { workspace, actor, ...parts }: { workspace: WorkspaceRow; image: ImageRow; host: HostRow; actor: Actor },
): string {
  try {
    requireDeployRights(tx, workspace, actor);
    requireResources(tx, { workspace, host: parts.host });
    requirePullAccount({ ...parts, actor });
    return '';
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}

function failWorkspace(tx: WriteTransaction, workspace: WorkspaceRow, message: string): void {
  moveWorkspace(tx, workspace, { status: 'error', message });
  const deployment = pendingDeployment(tx, workspace);
  if (deployment) finishDeployment(tx, deployment, { status: 'failed', message });
}

function pendingDeployment(tx: WriteTransaction, workspace: WorkspaceRow): DeploymentRow | undefined {
  return tx.find(deployments, { workspace: workspace.id, status: 'pending' }, { limit: 1 })[0];
}
