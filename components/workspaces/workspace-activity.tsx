'use client';

import { useTranslations } from 'next-intl';
import { useAllRecords } from '@/components/data/records';
import type { WorkspaceRecord } from '@/components/data/types';
import { Skeleton } from '@/components/ui/parts';
import { DeploymentCard } from './deployment-card';

/** Every deployment, the newest first. */
export function WorkspaceActivity({ workspace }: { workspace: WorkspaceRecord }) {
  const t = useTranslations('pages.workspaces.overview');
  const query = useAllRecords('deployments', {
    filter: `workspace = '${workspace.id}'`,
    sort: '-number',
    expand: 'created_by',
  });
  if (query.isPending) return <Skeleton className="rounded-card h-24 w-full" />;
  const rows = query.data ?? [];
  if (rows.length === 0) return <p className="text-table text-text-2">{t('never')}</p>;
  return (
    <ol className="grid max-w-[960px] gap-3">
      {rows.map((deployment) => (
        <li key={deployment.id}>
          <DeploymentCard deployment={deployment} />
        </li>
      ))}
    </ol>
  );
}
