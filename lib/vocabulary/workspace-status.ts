/** Statuses of a workspace, which follow which, and what may be asked of it in each. The one table of these. */
export const WORKSPACE_STATUSES = [
  'build_pending',
  'building',
  'deployment_pending',
  'deploying',
  'starting',
  'running',
  'stopping',
  'stopped',
  'error',
] as const;
export type WorkspaceStatus = (typeof WORKSPACE_STATUSES)[number];

export const WORKSPACE_ACTIONS = ['start', 'stop', 'redeploy', 'enable', 'disable', 'delete'] as const;
export type WorkspaceAction = (typeof WORKSPACE_ACTIONS)[number];

/** What the user asked for: the host makes it so. */
export const DESIRED_STATES = ['running', 'stopped', 'absent'] as const;

/** The statuses that each may move to. */
export const workspaceMoves: Record<WorkspaceStatus, readonly WorkspaceStatus[]> = {
  build_pending: ['building', 'deployment_pending', 'stopped', 'error'],
  building: ['build_pending', 'deployment_pending', 'stopped', 'error'],
  deployment_pending: ['build_pending', 'building', 'deploying', 'starting', 'running', 'stopping', 'stopped', 'error'],
  deploying: ['deployment_pending', 'starting', 'running', 'stopping', 'stopped', 'error'],
  starting: ['deployment_pending', 'deploying', 'running', 'stopping', 'stopped', 'error'],
  running: ['deployment_pending', 'build_pending', 'building', 'deploying', 'starting', 'stopping', 'stopped', 'error'],
  stopping: ['deployment_pending', 'starting', 'stopped', 'error'],
  stopped: ['build_pending', 'building', 'deployment_pending', 'deploying', 'starting', 'stopping', 'error'],
  error: ['build_pending', 'building', 'deployment_pending', 'deploying', 'starting', 'running', 'stopping', 'stopped'],
};

const actionsByStatus: Record<WorkspaceStatus, readonly WorkspaceAction[]> = {
  build_pending: ['stop', 'redeploy', 'delete'],
  building: ['stop', 'redeploy', 'delete'],
  deployment_pending: ['stop', 'redeploy', 'delete'],
  deploying: ['stop', 'redeploy', 'delete'],
  starting: ['stop', 'redeploy', 'delete'],
  running: ['stop', 'redeploy', 'delete'],
  stopping: ['start', 'delete'],
  stopped: ['start', 'redeploy', 'delete'],
  error: ['start', 'stop', 'redeploy', 'delete'],
};

/** Whether a status may follow another. A status may always be reported again. */
export function canMoveWorkspace(from: WorkspaceStatus, to: WorkspaceStatus): boolean {
  return from === to || workspaceMoves[from].includes(to);
}

/**
 * What may be asked of a workspace now, in the order of WORKSPACE_ACTIONS. A disabled one can't be started or redeployed,
 * nor can a template; one that is being deleted can only be asked to be deleted again.
 */
export function allowedWorkspaceActions(workspace: {
  status: string;
  desired: string;
  enabled: boolean;
  template: boolean;
}): WorkspaceAction[] {
  if (workspace.desired === 'absent') return ['delete'];
  const byStatus = actionsByStatus[workspace.status as WorkspaceStatus] ?? [];
  return WORKSPACE_ACTIONS.filter((action) => {
    if (action === 'enable') return !workspace.enabled;
    if (action === 'disable') return workspace.enabled;
    const canRun = workspace.enabled && !workspace.template;
    if ((action === 'start' || action === 'redeploy') && !canRun) return false;
    return byStatus.includes(action);
  });
}
