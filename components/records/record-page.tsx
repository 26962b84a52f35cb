'use client';

import { RotateCcw, TriangleAlert } from 'lucide-react';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { messageOf, statusOf } from '@/components/data/problems';
import { type PageList, usePageName } from '@/components/data/page-name';
import { Button } from '@/components/ui/button';
import { HeroState } from '@/components/ui/hero-state';
import { Fold } from '@/components/ui/notice';
import { Skeleton } from '@/components/ui/parts';
import { NotFoundState } from './not-found-state';

interface RecordPageProps<Row> {
  query: { data: Row | undefined; error: Error | null; isPending: boolean; refetch: () => unknown };
  nameOf: (row: Row) => string;
  listOf?: (row: Row) => PageList;
  children: (row: Row) => ReactNode;
}

/** Loads before it shows: a skeleton, then the record, or why it can't be had. */
export function RecordPage<Row>({ query, nameOf, listOf, children }: RecordPageProps<Row>) {
  const t = useTranslations('common');
  const isGone = statusOf(query.error) === 404;
  const row = isGone ? undefined : query.data;
  usePageName(row && nameOf(row), row && listOf?.(row));
  if (isGone) return <NotFoundState />;
  if (query.data) return children(query.data);
  if (query.error) {
    return (
      <HeroState
        isPageTitle
        drawing={<TriangleAlert className="text-bad size-8" />}
        title={t('list.errorTitle')}
        text={t('list.errorText')}
        actions={
          <Button onClick={() => void query.refetch()}>
            <RotateCcw className="size-4" />
            {t('actions.retry')}
          </Button>
        }
      >
        <div className="mt-6 w-full text-left">
          <Fold summary={t('list.details')}>{messageOf(query.error) ?? query.error.message}</Fold>
        </div>
      </HeroState>
    );
  }
  return (
    <div aria-busy="true" className="grid gap-4 px-6 py-5 max-lg:px-4">
      <span role="status" className="sr-only">
        {t('list.loading')}
      </span>
      <div className="flex items-center gap-3">
        <Skeleton className="rounded-card size-11" />
        <Skeleton className="h-4 w-44" />
      </div>
      <Skeleton className="h-8 w-full" />
      <Skeleton className="rounded-card h-40 w-full" />
      <Skeleton className="rounded-card h-24 w-full" />
    </div>
  );
}
