'use client';

import { useTranslations } from 'next-intl';
import { useFirstRecords } from '@/components/data/records';
import type { WorkspaceRecord } from '@/components/data/types';
import { ShowMore } from '@/components/records/show-more';
import { Skeleton } from '@/components/ui/parts';
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
            <DeploymentCard deployment={deployment} />
          </li>
        ))}
      </ol>
      <ShowMore onClick={showMore} />
    </div>
  );
}
