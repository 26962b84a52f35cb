'use client';

import { Lock, RotateCcw, TriangleAlert } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { messageOf, statusOf } from '@/components/data/problems';
import type { CollectionName } from '@/components/data/types';
import { QuayDrawing } from '@/components/ui/brand';
import { Button } from '@/components/ui/button';
import { HeroState } from '@/components/ui/hero-state';
import { Fold } from '@/components/ui/notice';
import type { ListDefinition } from './list-types';

interface ListBlankProps<Name extends CollectionName> {
  list: ListDefinition<Name>;
  error: Error | null;
  isNarrowed: boolean;
  onClear: () => void;
  onRetry: () => void;
}

/** A list without rows: nothing yet, nothing matches, not allowed, or not to be had. */
export function ListBlank<Name extends CollectionName>({
  list,
  error,
  isNarrowed,
  onClear,
  onRetry,
}: ListBlankProps<Name>) {
  const t = useTranslations('common');
  if (error && statusOf(error) === 403) {
    return (
      <HeroState
        drawing={<Lock className="text-text-3 size-8" />}
        title={t('list.forbiddenTitle')}
        text={t('list.forbiddenText')}
      />
    );
  }
  if (error) {
    return (
      <HeroState
        drawing={<TriangleAlert className="text-bad size-8" />}
        title={t('list.errorTitle')}
        text={t('list.errorText')}
        actions={
          <Button onClick={onRetry}>
            <RotateCcw className="size-4" />
            {t('actions.retry')}
          </Button>
        }
      >
        <div className="mt-6 w-full text-left">
          <Fold summary={t('list.details')}>{messageOf(error) ?? error.message}</Fold>
        </div>
      </HeroState>
    );
  }
  if (isNarrowed) {
    return (
      <div className="text-table text-text-2 flex flex-wrap items-center justify-center gap-3 px-4 py-16" role="status">
        {t('list.noMatch')}
        <Button size="sm" onClick={onClear}>
          {t('list.clear')}
        </Button>
      </div>
    );
  }
  return (
    <HeroState
      drawing={<QuayDrawing isEmpty />}
      title={list.empty.title}
      text={list.empty.text}
      actions={list.empty.action}
      isWide={Boolean(list.empty.extra)}
    >
      {list.empty.extra}
    </HeroState>
  );
}
