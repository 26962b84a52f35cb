'use client';

import { useQuery } from '@tanstack/react-query';
import { ready } from '@/components/data/client';
import type { WorkspaceRecord } from '@/components/data/types';
import type { StopFirstReason } from '@/lib/vocabulary/redeploy';
import type { SettingChange } from './change-words';

/** What speaks for stopping the old container before the new one starts. */
export interface StopFirst {
  reason: StopFirstReason;
  isNecessary: boolean;
  values: string[];
}

interface RedeployPreview {
  changed: SettingChange[];
  stopFirst: StopFirst[];
  /** Whether a newer image can be asked for. */
  canPull: boolean;
}

/** What a redeploy would do; nothing for a workspace that was never deployed. */
export function useRedeployPreview(workspace: WorkspaceRecord) {
  return useQuery({
    queryKey: ['changes', workspace.id, workspace.updated, workspace.generation, workspace.desired],
    queryFn: async () =>
      (await ready()).send<RedeployPreview>(`/api/workspace/${workspace.id}/changes`, { method: 'GET' }),
    enabled: workspace.generation > 0,
    placeholderData: (previous) => previous,
  });
}

/** The settings that differ from what is deployed. */
export function useChanges(workspace: WorkspaceRecord): SettingChange[] {
  return useRedeployPreview(workspace).data?.changed ?? [];
}
