'use client';

import { ChevronLeft, ChevronRight } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useTranslations } from 'next-intl';
import { IconButton } from '@/components/ui/button';
import { limits } from '@/lib/vocabulary/limits';
import type { ListState } from './list-address';

/** A moment after the rows: nobody needs it before. */
const Select = dynamic(() => import('@/components/ui/select').then((module) => module.Select), {
  ssr: false,
  loading: () => <span className="h-7 w-16 max-lg:h-9" aria-busy="true" />,
});

interface PagerProps {
  state: ListState;
  total: number;
  isReady: boolean;
  onChange: (patch: Record<string, number | undefined>) => void;
}

export function Pager({ state, total, isReady, onChange }: PagerProps) {
  const t = useTranslations('common.list');
  if (isReady && total === 0) return null;
  const from = Math.min(state.page * state.perPage + 1, total);
  const to = Math.min((state.page + 1) * state.perPage, total);
  return (
    <div className="border-line text-table text-text-2 flex h-12 shrink-0 items-center gap-3 border-t px-6 max-lg:pr-2 max-lg:pl-4">
      <span className="flex items-center gap-3 max-sm:hidden">
        <span aria-hidden="true">{t('rows')}</span>
        <Select
          size="sm"
          className="w-16"
          aria-label={t('rowsLabel')}
          value={String(state.perPage)}
          onValueChange={(value) =>
            onChange({ perPage: Number(value) === limits.pageSizeDefault ? undefined : Number(value), page: 0 })
          }
          options={limits.pageSizes.map((size) => ({ value: String(size), label: String(size) }))}
        />
      </span>
      <nav aria-label={t('paging')} className="ml-auto flex items-center gap-1.5">
        <span className="min-w-24 text-right tabular-nums" role="status">
          {isReady ? t('range', { from, to, total }) : ''}
        </span>
        <IconButton
          size="sm"
          variant="default"
          label={t('previous')}
          disabled={state.page === 0}
          onClick={() => onChange({ page: state.page - 1 })}
        >
          <ChevronLeft className="size-4" />
        </IconButton>
        <IconButton
          size="sm"
          variant="default"
          label={t('next')}
          disabled={to >= total}
          onClick={() => onChange({ page: state.page + 1 })}
        >
          <ChevronRight className="size-4" />
        </IconButton>
      </nav>
    </div>
  );
}
