'use client';

import { useTranslations } from 'next-intl';
import { Skeleton } from '@/components/ui/parts';
import { PageHead } from './page-head';

/** A form of something new, while what it begins with is on its way. */
export function SourceLoading({ title }: { title: string }) {
  const common = useTranslations('common.list');
  return (
    <div aria-busy="true">
      <PageHead title={title} />
      <span role="status" className="sr-only">
        {common('loading')}
      </span>
      <div className="grid max-w-[660px] gap-4 px-6 py-2 max-lg:px-4">
        <Skeleton className="h-8 w-full" />
        <Skeleton className="h-8 w-full" />
        <Skeleton className="rounded-card h-24 w-full" />
      </div>
    </div>
  );
}
