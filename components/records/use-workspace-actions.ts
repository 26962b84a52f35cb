'use client';

import { useTranslations } from 'next-intl';
import { ready } from '@/components/data/client';
import { useRefresh } from '@/components/data/records';
import type { WorkspaceRecord } from '@/components/data/types';
import { useTell } from '@/components/data/use-tell';
import { AS_USUAL, type RedeployOptions } from '@/lib/vocabulary/redeploy';
import { allowedWorkspaceActions, type WorkspaceAction } from '@/lib/vocabulary/workspace-status';

/** The flag of `can` that each act needs. */
export const workspaceRight: Record<WorkspaceAction, string> = {
  start: 'deploy',
  stop: 'deploy',
  redeploy: 'deploy',
  enable: 'modify',
  disable: 'modify',
  delete: 'delete',
};

/** What the viewer may ask of a workspace now. */
export function offeredActions(workspace: WorkspaceRecord): WorkspaceAction[] {
  return allowedWorkspaceActions(workspace).filter((action) => workspace.can?.[workspaceRight[action]]);
}

/** Whether the viewer may open a terminal in it now. */
export function offersTerminal(workspace: WorkspaceRecord): boolean {
  return workspace.status === 'running' && workspace.can?.['attach'] === true;
}

/** Whether the viewer may look into its container, which it has once it was deployed. */
export function offersFiles(workspace: WorkspaceRecord): boolean {
  return workspace.generation > 0 && workspace.can?.['attach'] === true;
}

interface RequestOptions {
  /** Of a deletion. */
  isForced?: boolean;
  /** Of a redeploy. */
  options?: RedeployOptions;
}

export async function requestWorkspace(
  id: string,
  action: WorkspaceAction,
  { isForced = false, options = AS_USUAL }: RequestOptions = {},
): Promise<void> {
  const { order, pull, build } = options;
  const body = { action, ...(order && { order }), ...(pull && { pull }), ...(build !== undefined && { build }) };
  await (
    await ready()
  ).send(`/api/workspace/${id}/request`, { method: 'POST', body, ...(isForced ? { force: 1 } : {}) });
}

/** Asks something of workspaces and tells what came of it. */
export function useWorkspaceActions() {
  const t = useTranslations('common.asked.workspace');
  const inVain = useTranslations('common.askedInVain.workspace');
  const tell = useTell();
  const refresh = useRefresh();

  async function ask(
    workspaces: WorkspaceRecord[],
    action: Exclude<WorkspaceAction, 'delete'>,
    optionsOf: (workspace: WorkspaceRecord) => RedeployOptions = () => AS_USUAL,
  ): Promise<void> {
    const asked = workspaces.map((workspace) =>
      requestWorkspace(workspace.id, action, { options: optionsOf(workspace) }),
    );
    const results = await Promise.allSettled(asked);
    const [done, failed] = [true, false].map((isDone) =>
      workspaces.filter((_, index) => (results[index]?.status === 'fulfilled') === isDone),
    ) as [WorkspaceRecord[], WorkspaceRecord[]];
    const refusal = results.find((result) => result.status === 'rejected');
    if (done.length > 0) tell.done(t(action, { count: done.length, name: done[0]?.name ?? '' }));
    if (refusal) tell.failed(inVain(action, { count: failed.length, name: failed[0]?.name ?? '' }), refusal.reason);
    await refresh('workspaces', 'deployments');
  }
  return { ask };
}
