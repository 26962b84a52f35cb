'use client';

import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { Card, Skeleton } from '@/components/ui/parts';
import { paths } from '@/lib/paths';
import { useDomainUsers } from './use-domain-users';

/** The workspaces that have an address under a domain. */
export function DomainUsers({ domainId }: { domainId: string }) {
  const t = useTranslations('common');
  const { data, isPending, isError } = useDomainUsers(domainId);
  const total = data ? data.items.length + data.more : 0;
  return (
    <Card title={t('usedBy.title')} note={total || undefined}>
      {isPending && <Skeleton className="m-3.5 h-10" />}
      {isError && <p className="text-table text-bad-text px-3.5 pb-3">{t('errors.general')}</p>}
      {data && total === 0 && <p className="text-table text-text-2 px-3.5 pb-3">{t('usedBy.none')}</p>}
      <ul className="divide-line divide-y">
        {data?.items.map(({ id, name, addresses }) => (
          <li key={id} className="text-table flex min-h-10 flex-wrap items-center gap-x-3 px-3.5 py-1.5">
            <Link
              href={paths.workspace(id)}
              className="text-text min-w-0 truncate rounded-sm font-medium hover:underline"
            >
              {name}
            </Link>
            <span className="mono text-text-2 min-w-0 truncate">{addresses.join(' ')}</span>
          </li>
        ))}
      </ul>
      {data !== undefined && data.more > 0 && (
        <p className="text-table text-text-2 px-3.5 py-2">{t('usedBy.more', { count: data.more })}</p>
      )}
    </Card>
  );
}
