import 'server-only';
import { workspaces, type WorkspaceRow } from './collection';
import { allowedWorkspaceActions, type WorkspaceAction } from '@/lib/vocabulary/workspace-status';
import { nowMs } from '@/lib/clock';
import { statusOf } from './moves';
import { type Actor, system } from '@/lib/policies/actor';
import { recordAudit } from '@/lib/records/audit';
import { readFileHashes } from '@/lib/images/file-hashes';
import { write, type WriteTransaction } from '@/lib/records/transaction';
import { deleteWorkspace } from './delete-workspace';
import { deployWorkspace } from './deploy-workspace';
import { requireNoOptions } from './redeploy-options';
import { AS_USUAL, type RedeployOptions } from '@/lib/vocabulary/redeploy';
import { illegalAction } from '@/lib/records/illegal-action';
import { requireAct } from '@/lib/records/acts';
import { stopWorkspace } from './stop-workspace';
import { afterDrain } from './times/plan';
import { hashOldPasswords } from './url-passwords';

const actOf = {
  start: 'deploy',
  stop: 'deploy',
  redeploy: 'deploy',
  enable: 'modify',
  disable: 'modify',
  delete: 'delete',
} as const satisfies Record<WorkspaceAction, string>;

export interface WorkspaceRequest {
  workspaceId: string;
  action: WorkspaceAction;
  /** For `delete` by an admin: don't wait for the host. */
  force?: boolean;
  /** For `redeploy`. */
  options?: RedeployOptions;
  /** Where the console asks by itself, with the actor's rights: why, for people and for the audit log. */
  clock?: { reason: string; details: Record<string, unknown> };
  /** Its host's maintenance asks: anything else takes the workspace out of its hands. */
  isDrain?: boolean;
}

export interface WorkspaceAnswer {
  id: string;
  status: string;
  generation: number;
}

/**
 * Does what is asked of a workspace, or passes it on to its host, in one transaction. Throws `not_found` when the actor
 * can't see it, `forbidden` without the act's right, `invalid` when the action is not possible now or a part is disabled.
 */
export async function requestWorkspace(
  actor: Actor,
  { workspaceId, action, force = false, options = AS_USUAL }: WorkspaceRequest,
): Promise<WorkspaceAnswer> {
  const asked = { workspaceId, action, force, options };
  await prepareRequest(actor, asked);
  return write((tx) => performRequest(tx, actor, asked));
}

/** What has to be there before the transaction: the image of what is started may have to be built first. */
export async function prepareRequest(actor: Actor, { workspaceId, action }: WorkspaceRequest): Promise<void> {
  if (action !== 'start' && action !== 'redeploy') return;
  const asked = requireAct(actor, { collection: workspaces, id: workspaceId, act: actOf[action] });
  await readFileHashes(asked.image);
  await hashOldPasswords(asked.id);
}

/** The rest of a request, inside a transaction. Throws as `requestWorkspace` does. */
export function performRequest(
  tx: WriteTransaction,
  actor: Actor,
  { workspaceId, action, force = false, options = AS_USUAL, clock, isDrain = false }: WorkspaceRequest,
): WorkspaceAnswer {
  const found = requireAct(actor, { collection: workspaces, id: workspaceId, act: actOf[action], reader: tx });
  requireNoOptions(action, options);
  requirePossible(found, action);
  const workspace = isDrain ? found : leaveDrain(tx, found);
  const how = { actor, action, force, options, reason: clock?.reason };
  const after = act(tx, workspace, how) ?? workspace;
  const on = { collection: 'workspaces', record: workspace.id, name: workspace.name };
  const details = {
    ...(force && { force }),
    ...(options.order && { order: options.order }),
    ...(options.pull && { pull: true }),
    ...(options.build !== undefined && { build: options.build }),
    ...clock?.details,
  };
  const hasDetails = Object.keys(details).length > 0;
  recordAudit(tx, { action: `workspace.${action}`, actor: clock ? system : actor, on, ...(hasDetails && { details }) });
  return { id: after.id, status: statusOf(after), generation: after.generation };
}

/** What its host's maintenance stopped, or was to stop, is somebody's own again. */
function leaveDrain(tx: WriteTransaction, workspace: WorkspaceRow): WorkspaceRow {
  if (!workspace.drain) return workspace;
  return tx.observe(workspaces, workspace.id, afterDrain(workspace, nowMs())) ?? workspace;
}

function requirePossible(workspace: WorkspaceRow, action: WorkspaceAction): void {
  const allowed = allowedWorkspaceActions({ ...workspace, status: statusOf(workspace) });
  if (allowed.includes(action)) return;
  const state = workspace.desired === 'absent' ? 'being deleted' : stateWords(workspace, action);
  throw illegalAction('workspace', { action, state, allowed });
}

/** What of the workspace stands in the way of the action, in words. */
function stateWords(workspace: WorkspaceRow, action: WorkspaceAction): string {
  const isAboutEnabled = action === 'enable' || action === 'disable';
  const needsEnabled = action === 'start' || action === 'redeploy';
  if (needsEnabled && workspace.template) return 'a template';
  if (isAboutEnabled || (needsEnabled && !workspace.enabled)) return workspace.enabled ? 'enabled' : 'disabled';
  return statusOf(workspace).replace('_', ' ');
}

interface How {
  actor: Actor;
  action: WorkspaceAction;
  force: boolean;
  options: RedeployOptions;
  reason: string | undefined;
}

function act(
  tx: WriteTransaction,
  workspace: WorkspaceRow,
  { actor, action, force, options, reason }: How,
): WorkspaceRow | undefined {
  switch (action) {
    case 'start':
    case 'redeploy':
      return deployWorkspace(tx, workspace, { action, actor, options, reason });
    case 'stop':
      return stopWorkspace(tx, workspace, { actor, reason });
    case 'delete':
      return deleteWorkspace(tx, workspace, { actor, force });
    case 'enable':
    case 'disable':
      return tx.patch(workspaces, workspace.id, { enabled: action === 'enable' });
  }
}
