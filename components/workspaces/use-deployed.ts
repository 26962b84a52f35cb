'use client';

import { useQuery } from '@tanstack/react-query';
import { ready } from '@/components/data/client';
import type { DeploymentRecord, WorkspaceRecord } from '@/components/data/types';
import type { SettingChange } from './change-words';

interface Deployed {
  number: number;
  /** Null when nothing is kept of what was deployed. */
  settings: { field: string; value: unknown }[] | null;
  before: { number: number; changed: SettingChange[] } | null;
  now: { changed: SettingChange[] } | null;
}

/** What a deployment asked its host to run, and how that differs from the one before it and from now. */
export function useDeployed(workspace: WorkspaceRecord, deployment: DeploymentRecord) {
  const path = `/api/workspace/${workspace.id}/deployments/${deployment.id}/spec`;
  return useQuery({
    queryKey: ['deployed', deployment.id, deployment.updated, workspace.updated],
    queryFn: async () => (await ready()).send<Deployed>(path, { method: 'GET' }),
  });
}
