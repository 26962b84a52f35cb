'use client';

import { useTranslations } from 'next-intl';
import { ready } from '@/components/data/client';
import { useRefresh } from '@/components/data/records';
import type { WorkspaceRecord } from '@/components/data/types';
import { useTell } from '@/components/data/use-tell';
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

export async function requestWorkspace(id: string, action: WorkspaceAction, isForced = false): Promise<void> {
  await (
    await ready()
  ).send(`/api/workspace/${id}/request`, { method: 'POST', body: { action }, ...(isForced ? { force: 1 } : {}) });
}

/** Asks something of workspaces and tells what came of it. */
export function useWorkspaceActions() {
  const t = useTranslations('common.asked.workspace');
  const common = useTranslations('common.errors');
  const tell = useTell();
  const refresh = useRefresh();

  async function ask(workspaces: WorkspaceRecord[], action: Exclude<WorkspaceAction, 'delete'>): Promise<void> {
    const results = await Promise.allSettled(workspaces.map((workspace) => requestWorkspace(workspace.id, action)));
    const done = workspaces.filter((_, index) => results[index]?.status === 'fulfilled');
    const failed = results.find((result) => result.status === 'rejected');
    if (done.length > 0) tell.done(t(action, { count: done.length, name: done[0]?.name ?? '' }));
    if (failed) tell.failed(common('failed'), failed.reason);
    await refresh('workspaces', 'deployments');
  }
  return { ask };
}
