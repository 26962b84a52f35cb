'use client';

import { X } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { Button, IconButton } from '@/components/ui/button';
import type { BatchAction } from './list-types';

interface BatchBarProps<Row> {
  rows: Row[];
  actions: BatchAction<Row>[];
  onClear: () => void;
}

/** Acts on the selected rows. An act skips the rows it can't touch, and says how many and why before it is done. */
export function BatchBar<Row>({ rows, actions, onClear }: BatchBarProps<Row>) {
  const t = useTranslations('common.batch');
  const [focused, setFocused] = useState<string>();
  const sorted = actions.map((action) => {
    const refusals = rows.map((row) => action.refusal(row));
    return {
      action,
      able: rows.filter((_, index) => refusals[index] === undefined),
      reasons: [...new Set(refusals.filter((reason) => reason !== undefined))],
    };
  });
  const shown =
    sorted.find(({ action }) => action.key === focused) ?? sorted.find(({ able }) => able.length < rows.length);
  const skipped = shown ? rows.length - shown.able.length : 0;
  return (
    <div
      role="toolbar"
      aria-label={t('label')}
      className="animate-appear border-line-strong bg-raised text-table shadow-popover absolute bottom-[62px] left-1/2 z-20 flex max-w-[calc(100%-16px)] -translate-x-1/2 items-center gap-0.5 rounded-lg border p-1.5 whitespace-nowrap max-lg:right-2 max-lg:left-2 max-lg:translate-x-0"
    >
      <span className="px-2 font-medium max-lg:mr-auto" role="status">
        {t('selected', { count: rows.length })}
      </span>
      {sorted.map(({ action, able }) => (
        <Button
          key={action.key}
          variant="ghost"
          size="sm"
          aria-disabled={able.length === 0}
          className="aria-disabled:text-text-disabled max-lg:px-1.5 [&_svg]:size-4"
          onMouseEnter={() => setFocused(action.key)}
          onFocus={() => setFocused(action.key)}
          onClick={() => able.length > 0 && action.run(able)}
        >
          {action.icon}
          <span className="max-sm:sr-only">{action.label}</span>
        </Button>
      ))}
      <span aria-hidden="true" className="bg-line-strong mx-1.5 h-5 w-px" />
      {shown && skipped > 0 && (
        <span className="text-text-3 truncate pr-2 pl-1 max-lg:hidden">
          {t('skips', { action: shown.action.label, count: skipped, reason: shown.reasons.join(', ') })}
        </span>
      )}
      <IconButton size="sm" label={t('clear')} onClick={onClear}>
        <X className="size-4" />
      </IconButton>
    </div>
  );
}
