import 'server-only';
import { workspaces, type WorkspaceRow } from './collection';
import { allowedWorkspaceActions, type WorkspaceAction } from '@/lib/vocabulary/workspace-status';
import { statusOf } from './moves';
import type { Actor } from '@/lib/policies/actor';
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
  // Its image may have to be built first.
  if (action === 'start' || action === 'redeploy') {
    const asked = requireAct(actor, { collection: workspaces, id: workspaceId, act: actOf[action] });
    await readFileHashes(asked.image);
    await hashOldPasswords(asked.id);
  }
  return write((tx) => {
    const workspace = requireAct(actor, { collection: workspaces, id: workspaceId, act: actOf[action], reader: tx });
    requireNoOptions(action, options);
    requirePossible(workspace, action);
    const after = act(tx, workspace, { actor, action, force, options }) ?? workspace;
    const on = { collection: 'workspaces', record: workspace.id, name: workspace.name };
    const details = {
      ...(force && { force }),
      ...(options.order && { order: options.order }),
      ...(options.pull && { pull: true }),
      ...(options.build !== undefined && { build: options.build }),
    };
    const hasDetails = Object.keys(details).length > 0;
    recordAudit(tx, { action: `workspace.${action}`, actor, on, ...(hasDetails && { details }) });
    return { id: after.id, status: statusOf(after), generation: after.generation };
  });
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

function act(
  tx: WriteTransaction,
  workspace: WorkspaceRow,
  {
    actor,
    action,
    force,
    options,
  }: { actor: Actor; action: WorkspaceAction; force: boolean; options: RedeployOptions },
): WorkspaceRow | undefined {
  switch (action) {
    case 'start':
    case 'redeploy':
      return deployWorkspace(tx, workspace, { action, actor, options });
    case 'stop':
      return stopWorkspace(tx, workspace, actor);
    case 'delete':
      return deleteWorkspace(tx, workspace, { actor, force });
    case 'enable':
    case 'disable':
      return tx.patch(workspaces, workspace.id, { enabled: action === 'enable' });
  }
}
