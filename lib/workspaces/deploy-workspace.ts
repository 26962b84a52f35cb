import 'server-only';
import { hosts, type HostRow } from '@/lib/hosts/collection';
import { images, type ImageRow } from '@/lib/images/collection';
import { takeBuild } from './take-build';
import type { WorkspaceRow } from './collection';
import { fieldError } from '@/lib/errors';
import { compareWorkspaceSpecs } from './spec';
import { openDeployment } from './deployment-log';
import { getDesired } from '@/lib/hosts/link/desired';
import { workspaceKind } from './at-host';
import { requireOpenHost } from '@/lib/hosts/takes-new';
import { waitMessage } from '@/lib/hosts/wait-message';
import { unreachableReason } from '@/lib/images/reachable';
import { requireAllowedByHost } from './host-rules';
import { putWorkspaceSpec, requirePullAccount } from './put-spec';
import { moveWorkspace } from './moves';
import { actorUserId, type Actor } from '@/lib/policies/actor';
import type { WriteTransaction } from '@/lib/records/transaction';
import { asOfBuild } from '@/lib/images/good-build';
import { mayBuild, queueBuild } from '@/lib/images/build-image';
import { requireDeployRights } from './deploy-rights';
import { requireQuota } from './quota-checks';
import { requireResources } from './resource-rules';
import { openSpecSecrets, wantedSpec } from './changes';
import { findStopFirstReasons, requireRedeployOptions } from './redeploy-options';
import type { RedeployOptions } from '@/lib/vocabulary/redeploy';

interface Parts {
  workspace: WorkspaceRow;
  image: ImageRow;
  host: HostRow;
}

/**
 * Asks the host to run a workspace from its record as it is, or has it wait for its image's build. `start` tries the
 * deployed generation again when nothing was changed; `redeploy` always makes a new one, and a new container. Throws
 * `invalid` with the field that stands in the way, also where the actor has lost a right on what it uses. The caller has
 * checked the right to deploy the workspace itself and that the action is possible now.
 */
export function deployWorkspace(
  tx: WriteTransaction,
  before: WorkspaceRow,
  asked: {
    action: 'start' | 'redeploy';
    actor: Actor;
    options: RedeployOptions;
    /** Why the console itself asks, with the actor's rights. */
    reason?: string | undefined;
  },
): WorkspaceRow {
  const { actor } = asked;
  const { build, ...options } = asked.options;
  const workspace = takeBuild(tx, before, options.pull ? 0 : build);
  const parts = requireParts(tx, workspace);
  requireDeployRights(tx, workspace, actor);
  requireResources(tx, parts);
  requireQuota(tx, parts, actor);
  requirePullAccount({ ...parts, image: asOfBuild(tx, parts.image, workspace.imageBuild), actor });
  requireOptions(tx, { ...parts, actor }, asked.options);
  const wait = buildToWaitFor(tx, parts, actor);
  const isRedeploy = asked.action === 'redeploy';
  const { generation, attempt } = nextAttempt(tx, parts, { isRedeploy, isWaiting: wait !== undefined });
  const waitsFor = wait?.message ?? waitMessage(parts.host);
  openDeployment(tx, {
    workspaceId: workspace.id,
    hostId: parts.host.id,
    askedBy: asked.reason ? '' : actorUserId(actor),
    action: asked.action,
    generation,
    attempt,
    waitsFor,
    options,
    reason: asked.reason,
  });
  if (!wait) return putWorkspaceSpec(tx, { ...parts, generation, attempt, isRedeploy, actor, options });
  return moveWorkspace(tx, workspace, { ...wait, also: { desired: 'running', generation } });
}

function requireOptions(tx: WriteTransaction, parts: Parts & { actor: Actor }, options: RedeployOptions): void {
  const { workspace, host } = parts;
  const deployed = getDesired(workspaceKind, host.id, workspace.id)?.spec;
  const wanted = wantedSpec(tx, workspace, deployed);
  requireRedeployOptions(parts, options, wanted ? findStopFirstReasons(workspace, deployed, wanted) : []);
}

/** The image and host of a workspace, when they may be used. Throws `invalid` at the field that may not. */
function requireParts(tx: WriteTransaction, workspace: WorkspaceRow): Parts {
  if (workspace.template) throw fieldError('template', 'validation_template', "A template can't be started.");
  if (!workspace.enabled) throw fieldError('enabled', 'validation_disabled', 'This workspace is disabled.');
  const image = tx.get(images, workspace.image);
  if (!image) throw fieldError('image', 'validation_missing', 'The image of this workspace is gone.');
  if (image.template) throw fieldError('image', 'validation_template', `Image ${image.name} is a template.`);
  if (!image.enabled) throw fieldError('image', 'validation_disabled', `Image ${image.name} is disabled.`);
  const host = tx.get(hosts, workspace.host);
  if (!host) throw fieldError('host', 'validation_missing', 'The host of this workspace is gone.');
  requireOpenHost(host, 'host');
  requireAllowedByHost(host, workspace);
  const reason = unreachableReason(image, host, tx);
  if (reason) throw fieldError('image', 'validation_image_unreachable', reason);
  return { workspace, image, host };
}

/**
 * The build that a workspace has to wait for; undefined when its image can be run now, where the last good build counts
 * when a newer one failed. An image that was never built is queued when the actor may build it.
 */
function buildToWaitFor(
  tx: WriteTransaction,
  { image, workspace }: Parts,
  actor: Actor,
): { status: 'build_pending' | 'building'; message: string } | undefined {
  // What it is to run is there already.
  if (workspace.imageBuild > 0) return undefined;
  if (image.status === 'building') return { status: 'building', message: `Image ${image.name} is being built` };
  const queued = { status: 'build_pending', message: `Image ${image.name} waits to be built` } as const;
  if (image.status === 'build_pending' && image.buildNumber > 0) return queued;
  if (image.imageId !== '' || image.status === 'build_finished') return undefined;
  if (image.status === 'error') {
    throw fieldError(
      'image',
      'validation_image_not_built',
      `Image ${image.name} failed to build. Build it again first.`,
    );
  }
  if (mayBuild(tx, image, actor)) {
    queueBuild(tx, image, actor);
    return queued;
  }
  return { ...queued, message: `Image ${image.name} is not built yet: someone who may build it has to` };
}

/** Which generation and attempt an ask gets. Generations never go back, also when one was given up before it was sent. */
function nextAttempt(
  tx: WriteTransaction,
  { workspace, host }: Parts,
  how: { isRedeploy: boolean; isWaiting: boolean },
): { generation: number; attempt: number } {
  const deployed = getDesired(workspaceKind, host.id, workspace.id)?.spec;
  // After a restore a host may hold a container of a generation that the console has forgotten.
  const made = workspace.observedContainer?.generation ?? 0;
  const next = { generation: Math.max(workspace.generation, deployed?.generation ?? 0, made) + 1, attempt: 0 };
  if (how.isRedeploy || how.isWaiting || !deployed || deployed.generation !== workspace.generation) return next;
  const wanted = wantedSpec(tx, workspace, deployed);
  const isUnchanged =
    wanted !== undefined && compareWorkspaceSpecs(openSpecSecrets(deployed), openSpecSecrets(wanted)).length === 0;
  return isUnchanged ? { generation: deployed.generation, attempt: deployed.attempt + 1 } : next;
}
