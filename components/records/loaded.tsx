'use client';

import { RotateCcw, TriangleAlert } from 'lucide-react';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { messageOf } from '@/components/data/problems';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { Skeleton } from '@/components/ui/parts';

interface LoadedProps<Data> {
  query: { data: Data | undefined; error: Error | null; refetch: () => unknown };
  rows?: number;
  children: (data: Data) => ReactNode;
}

/** A part of a page once it is loaded; before, rows of its height, and why it can't be had. */
export function Loaded<Data>({ query, rows = 2, children }: LoadedProps<Data>) {
  const common = useTranslations('common');
  if (query.data !== undefined) return children(query.data);
  if (query.error) {
    return (
      <Notice
        tone="bad"
        icon={<TriangleAlert aria-hidden="true" />}
        actions={
          <Button size="sm" onClick={() => void query.refetch()}>
            <RotateCcw className="size-4" aria-hidden="true" />
            {common('actions.retry')}
          </Button>
        }
      >
        {common('list.errorTitle')} <span className="text-text-2">{messageOf(query.error)}</span>
      </Notice>
    );
  }
  return (
    <div aria-busy="true" className="border-line-strong divide-line divide-y rounded-md border">
      <span role="status" className="sr-only">
        {common('list.loading')}
      </span>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="grid h-14 content-center gap-2 px-3.5">
          <Skeleton className="w-44" />
          <Skeleton className="w-64 max-w-full" />
        </div>
      ))}
    </div>
  );
}
