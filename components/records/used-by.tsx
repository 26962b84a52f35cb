'use client';

import { Boxes } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { useRecordList } from '@/components/data/records';
import type { HostRecord } from '@/components/data/types';
import { Card, Skeleton } from '@/components/ui/parts';
import { paths } from '@/lib/paths';
import type { DeleteBlocker } from './delete-dialog';
import { WorkspaceStatusLine } from './resource-status';

/** Workspaces that are named; the others are counted. */
const SHOWN = 20;

type Used = { field: 'volumes' | 'networks'; id: string };

function useUsers({ field, id }: Used) {
  const params = { page: 1, perPage: SHOWN, sort: 'name', filter: `${field} ~ '${id}'` };
  return useRecordList('workspaces', params, { followsFilter: true });
}

/** The workspaces that use a volume or a network, as far as the viewer may see them. */
export function UsedBy({ field, id, host }: Used & { host: HostRecord | undefined }) {
  const t = useTranslations('common.usedBy');
  const { data, isPending } = useUsers({ field, id });
  const rest = (data?.totalItems ?? 0) - (data?.items.length ?? 0);
  return (
    <Card title={t('title')} note={data && data.totalItems > 0 ? data.totalItems : undefined}>
      {isPending && <Skeleton className="m-3.5 h-10" />}
      {data?.items.length === 0 && <p className="text-table text-text-2 px-3.5 pb-3">{t('none')}</p>}
      <ul className="divide-line divide-y">
        {data?.items.map((workspace) => (
          <li key={workspace.id} className="text-table flex min-h-10 flex-wrap items-center gap-x-3 px-3.5 py-1.5">
            <Link
              href={paths.workspace(workspace.id)}
              className="text-text min-w-0 truncate rounded-sm font-medium hover:underline"
            >
              {workspace.name}
            </Link>
            {field === 'volumes' && (
              <span className="mono text-text-2 min-w-0 truncate">
                {workspace.volumePaths?.[id]?.path} {workspace.volumePaths?.[id]?.readOnly && t('readOnly')}
              </span>
            )}
            <span className="ml-auto min-w-0">
              <WorkspaceStatusLine workspace={workspace} host={host} />
            </span>
          </li>
        ))}
      </ul>
      {rest > 0 && <p className="text-table text-text-2 px-3.5 py-2">{t('more', { count: rest })}</p>}
    </Card>
  );
}

/** The same as what has to go before it can be deleted; undefined until that is known. */
export function useUsersAsBlockers(used: Used): DeleteBlocker[] | undefined {
  const t = useTranslations('common.usedBy');
  const { data } = useUsers(used);
  if (!data) return undefined;
  const rest = data.totalItems - data.items.length;
  return [
    ...data.items.map(({ id, name }) => ({ icon: <Boxes />, name, href: paths.workspace(id) })),
    ...(rest > 0 ? [{ icon: <Boxes />, name: t('more', { count: rest }) }] : []),
  ];
}
