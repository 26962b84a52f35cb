'use client';

import { useQuery } from '@tanstack/react-query';
import { GitCompareArrows } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { ready } from '@/components/data/client';
import type { WorkspaceRecord } from '@/components/data/types';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { RedeployDialog } from './redeploy-dialog';
import { useChangeWords, type SettingChange } from './change-words';
import { offeredActions } from '@/components/records/use-workspace-actions';

/** The settings that differ from what is deployed; nothing for a workspace that never was. */
function useChanges(workspace: WorkspaceRecord) {
  return useQuery({
    queryKey: ['changes', workspace.id, workspace.updated, workspace.generation],
    queryFn: async () =>
      (
        await (
          await ready()
        ).send<{ changed: SettingChange[] }>(`/api/workspace/${workspace.id}/changes`, { method: 'GET' })
      ).changed,
    enabled: workspace.generation > 0,
    placeholderData: (previous) => previous,
  });
}

/** Says that what is set is not what runs, and leads to a redeploy by way of the differences. */
export function ChangedBar({ workspace }: { workspace: WorkspaceRecord }) {
  const t = useTranslations('pages.workspaces.changed');
  const changes = useChanges(workspace).data ?? [];
  const words = useChangeWords();
  const [isOpen, setOpen] = useState(false);
  if (changes.length === 0 || workspace.desired === 'absent') return null;
  const canRedeploy = offeredActions(workspace).includes('redeploy');
  return (
    <>
      <Notice
        tone="accent"
        icon={<GitCompareArrows aria-hidden="true" />}
        actions={
          canRedeploy && (
            <Button variant="primary" size="sm" onClick={() => setOpen(true)}>
              {t('review')}
            </Button>
          )
        }
      >
        <span className="font-medium">{t('title', { count: changes.length })}</span>{' '}
        <span className="text-text-2">{changes.map((change) => words.field(change.field)).join(', ')}</span>
      </Notice>
      {isOpen && <RedeployDialog workspace={workspace} changes={changes} onClose={() => setOpen(false)} />}
    </>
  );
}
