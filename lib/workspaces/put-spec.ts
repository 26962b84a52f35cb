import 'server-only';
import { fieldError } from '@/lib/errors';
import type { HostRow } from '@/lib/hosts/collection';
import { refreshHostObject } from '@/lib/hosts/host-spec';
import { getDesired, putDesired } from '@/lib/hosts/link/desired';
import { workspaceKind } from './at-host';
import { listHolders } from '@/lib/hosts/link/desired-objects';
import { waitMessage } from '@/lib/hosts/wait-message';
import { findAccount, toJobAccount } from '@/lib/hosts/registry-accounts';
import type { ImageRow } from '@/lib/images/collection';
import { asOfBuild, type Pinned } from '@/lib/images/good-build';
import type { Actor } from '@/lib/policies/actor';
import type { WriteTransaction } from '@/lib/records/transaction';
import { imageReference, isInRegistry } from '@/lib/vocabulary/image-reference';
import type { RedeployOptions } from '@/lib/vocabulary/redeploy';
import type { WorkspaceRow } from './collection';
import { findDeployment } from './deployment-log';
import { imageTagOf } from './image-tag';
import { keepSpec } from './kept-specs';
import { moveWorkspace } from './moves';
import { keptPorts, pickOpenPorts } from './picked-ports';
import { routesOf } from './routes-of';
import { buildWorkspaceSpec } from './spec';

/**
 * What the host pulls the image with, if it has to. Throws `invalid` at `image` where the actor may use no account for it. The
 * host that it was made on has it, so nothing is asked there.
 */
export function requirePullAccount({ image, host, actor }: { image: ImageRow & Pinned; host: HostRow; actor: Actor }) {
  if (!isInRegistry(image)) return undefined;
  const answer = findAccount(host, { actor, reference: image.pulledBy || imageReference(image), use: 'pull' });
  if ('account' in answer) return toJobAccount(answer.account);
  if (image.build_on === host.id) return undefined;
  throw fieldError('image', 'validation_not_allowed', answer.refusal);
}

/**
 * Asks a workspace's host to run its record as it is, as the given generation and attempt; a redeploy in a new container.
 * Throws as `requirePullAccount` does.
 */
export function putWorkspaceSpec(
  tx: WriteTransaction,
  about: {
    workspace: WorkspaceRow;
    image: ImageRow;
    host: HostRow;
    generation: number;
    attempt: number;
    isRedeploy: boolean;
    options: RedeployOptions;
    /** Who asked for it. */
    actor: Actor;
  },
): WorkspaceRow {
  const { workspace, image, host, generation, attempt, isRedeploy, options, actor } = about;
  const deployed = getDesired(workspaceKind, host.id, workspace.id)?.spec;
  const isAnotherTry = deployed?.generation === generation;
  // Beside a container that goes on, the new one needs ports of its own.
  const isBeside = options.order === 'start-first' && deployed?.state === 'running';
  const order = isAnotherTry ? deployed.order : options.order || undefined;
  const built = asOfBuild(tx, image, workspace.imageBuild);
  const spec = buildWorkspaceSpec(workspace, built, host, {
    generation,
    attempt,
    tag: imageTagOf(tx, { workspace, image, generation, pull: options.pull, deployed }),
    account: requirePullAccount({ image: built, host, actor }),
    remake: isRedeploy ? generation : (deployed?.remake ?? 0),
    order,
    ports: isBeside && !isAnotherTry ? [] : keptPorts(workspace, deployed),
    routes: routesOf(tx, workspace.externalUrls),
  });
  // Another try of the same goes on in the same container.
  if (!isAnotherTry) {
    const avoid = isBeside ? deployed.ports.map(({ hostPort }) => hostPort) : undefined;
    spec.ports = pickOpenPorts(tx, spec.ports, { workspace, host, avoid });
  }
  refreshHostObject(tx, host);
  for (const hostId of listHolders(workspaceKind.name, workspace.id)) {
    // It was moved: the host before lets go of it.
    if (hostId !== host.id) putDesired(tx, workspaceKind, { hostId, objectId: workspace.id, spec: null });
  }
  putDesired(tx, workspaceKind, { hostId: host.id, objectId: workspace.id, spec });
  const deployment = findDeployment(tx, { workspaceId: workspace.id, generation, attempt });
  if (deployment) keepSpec(tx, deployment.id, spec);
  return moveWorkspace(tx, workspace, {
    status: 'deployment_pending',
    message: waitMessage(host),
    also: { desired: 'running', generation },
  });
}
