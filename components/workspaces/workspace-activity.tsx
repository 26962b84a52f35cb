'use client';

import { FileDiff } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useFirstRecords } from '@/components/data/records';
import type { DeploymentRecord, WorkspaceRecord } from '@/components/data/types';
import { ShowMore } from '@/components/records/show-more';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/parts';
import { DeployedDialog } from './deployed-dialog';
import { DeploymentCard } from './deployment-card';

/** Every deployment, the newest first. */
export function WorkspaceActivity({ workspace }: { workspace: WorkspaceRecord }) {
  const t = useTranslations('pages.workspaces.overview');
  const { items, isPending, showMore } = useFirstRecords('deployments', {
    filter: `workspace = '${workspace.id}'`,
    sort: '-number',
    expand: 'created_by',
  });
  if (isPending) return <Skeleton className="rounded-card h-24 w-full" />;
  if (items.length === 0) return <p className="text-table text-text-2">{t('never')}</p>;
  return (
    <div className="max-w-[960px]">
      <ol className="grid gap-3">
        {items.map((deployment) => (
          <li key={deployment.id}>
            <DeploymentCard
              deployment={deployment}
              actions={<WhatWasDeployed workspace={workspace} deployment={deployment} />}
            />
          </li>
        ))}
      </ol>
      <ShowMore onClick={showMore} />
    </div>
  );
}

function WhatWasDeployed({ workspace, deployment }: { workspace: WorkspaceRecord; deployment: DeploymentRecord }) {
  const t = useTranslations('pages.workspaces.deployed');
  const [isOpen, setOpen] = useState(false);
  if (deployment.action !== 'start' && deployment.action !== 'redeploy') return null;
  return (
    <>
      <Button
        size="sm"
        variant="ghost"
        aria-label={t('openOf', { number: deployment.number })}
        onClick={() => setOpen(true)}
      >
        <FileDiff className="size-4" aria-hidden="true" />
        {t('open')}
      </Button>
      {isOpen && <DeployedDialog workspace={workspace} deployment={deployment} onClose={() => setOpen(false)} />}
    </>
  );
}
