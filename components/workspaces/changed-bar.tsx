'use client';

import { GitCompareArrows } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { WorkspaceRecord } from '@/components/data/types';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { useChangeWords } from './change-words';
import { useChanges } from './use-changes';
import { offeredActions } from '@/components/records/use-workspace-actions';

const RedeployDialog = dynamic(() => import('./redeploy-dialog').then((module) => module.RedeployDialog));

/** Says that what is set is not what runs, and leads to a redeploy by way of the differences. */
export function ChangedBar({ workspace }: { workspace: WorkspaceRecord }) {
  const t = useTranslations('pages.workspaces.changed');
  const changes = useChanges(workspace);
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
      {isOpen && <RedeployDialog workspace={workspace} onClose={() => setOpen(false)} />}
    </>
  );
}
