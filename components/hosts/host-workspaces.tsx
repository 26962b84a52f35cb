'use client';

import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { useFirstRecords } from '@/components/data/records';
import { NO_TEMPLATE } from '@/components/data/templates';
import type { HostRecord } from '@/components/data/types';
import { Person } from '@/components/records/person';
import { WorkspaceStatusLine } from '@/components/records/resource-status';
import { ShowMore } from '@/components/records/show-more';
import { Skeleton } from '@/components/ui/parts';
import { paths } from '@/lib/paths';

/** The workspaces on a host that the viewer may see. */
export function HostWorkspaces({ host }: { host: HostRecord }) {
  const t = useTranslations('pages.hosts');
  const common = useTranslations('common.columns');
  const params = { filter: `host = '${host.id}' && ${NO_TEMPLATE}`, sort: 'name', expand: 'created_by' };
  const { items, isPending, showMore } = useFirstRecords('workspaces', params);
  if (isPending) return <Skeleton className="m-6 h-20" />;
  if (items.length === 0) return <p className="text-table text-text-2 px-6 py-8 max-lg:px-4">{t('noWorkspaces')}</p>;
  const head =
    'h-8 border-b border-line pr-3 text-left text-small font-medium text-text-3 first:pl-6 max-lg:first:pl-4';
  const cell = 'h-10 truncate border-b border-line pr-3 text-text-2 first:pl-6 max-lg:first:pl-4';
  return (
    <>
      <table className="text-table w-full table-fixed border-separate border-spacing-0">
        <caption className="sr-only">{t('workspaces')}</caption>
        <thead>
          <tr>
            <th className={head}>{common('name')}</th>
            <th className={head}>{common('status')}</th>
            <th className={`${head} max-sm:hidden`}>{common('owner')}</th>
          </tr>
        </thead>
        <tbody>
          {items.map((workspace) => (
            <tr key={workspace.id}>
              <td className={cell}>
                <Link href={paths.workspace(workspace.id)} className="text-text rounded-sm font-medium hover:underline">
                  {workspace.name}
                </Link>
              </td>
              <td className={cell}>
                <WorkspaceStatusLine workspace={workspace} host={host} />
              </td>
              <td className={`${cell} max-sm:hidden`}>
                <Person user={workspace.expand?.created_by} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <ShowMore onClick={showMore} />
    </>
  );
}
