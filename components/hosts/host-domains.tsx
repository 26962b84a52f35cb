'use client';

import { Plus } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { useFirstRecords } from '@/components/data/records';
import { useViewer } from '@/components/data/session-provider';
import type { HostRecord } from '@/components/data/types';
import { Person } from '@/components/records/person';
import { ShowMore } from '@/components/records/show-more';
import { Button } from '@/components/ui/button';
import { Card, Skeleton } from '@/components/ui/parts';
import { paths } from '@/lib/paths';

/** The domains whose names lead to a host. */
export function HostDomains({ host }: { host: HostRecord }) {
  const t = useTranslations('pages.hosts.domains');
  const common = useTranslations('common');
  const { isAdmin } = useViewer();
  const { items, total, isPending, error, showMore } = useFirstRecords('domains', {
    filter: `host = '${host.id}'`,
    sort: 'url',
    expand: 'created_by',
  });
  return (
    <Card
      className="max-w-[660px]"
      title={t('title')}
      note={total || undefined}
      actions={
        isAdmin && (
          <Button asChild size="sm" variant="ghost">
            <Link href={paths.domainCreate}>
              <Plus className="size-4" aria-hidden="true" />
              {t('new')}
            </Link>
          </Button>
        )
      }
    >
      {isPending && <Skeleton className="m-3.5 h-10" />}
      {error && <p className="text-table text-bad-text px-3.5 pb-3">{common('errors.general')}</p>}
      {!isPending && !error && total === 0 && <p className="text-table text-text-2 px-3.5 pb-3">{t('none')}</p>}
      <ul className="divide-line divide-y">
        {items.map((domain) => (
          <li key={domain.id} className="text-table flex min-h-10 items-center gap-3 px-3.5">
            <Link
              href={paths.domain(domain.id)}
              className="text-text mono min-w-0 flex-1 truncate rounded-sm font-medium hover:underline"
            >
              {domain.url}
            </Link>
            <Person user={domain.expand?.created_by} />
          </li>
        ))}
      </ul>
      <ShowMore onClick={showMore} />
    </Card>
  );
}
