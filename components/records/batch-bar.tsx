'use client';

import { X } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState, type KeyboardEvent } from 'react';
import { Button, IconButton } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { Kbd } from '@/components/ui/parts';
import { sortBatch, type SortedAction } from './batch';
import type { BatchAction } from './list-types';
import { NameList } from './name-list';

interface BatchBarProps<Row> {
  rows: Row[];
  rowName: (row: Row) => string;
  actions: BatchAction<Row>[];
  onClear: () => void;
}

/**
 * Acts on the selected rows. An act skips the rows it can't touch, and says how many and why before it is done; one that
 * stops or replaces something asks first. No part changes its size with what it says, or buttons would move under the
 * pointer.
 */
export function BatchBar<Row>({ rows, rowName, actions, onClear }: BatchBarProps<Row>) {
  const t = useTranslations('common.batch');
  const [focused, setFocused] = useState<string>();
  const [asked, setAsked] = useState<SortedAction<Row>>();
  const sorted = sortBatch(rows, actions);
  const shown = sorted.find(({ action }) => action.key === focused) ?? sorted.find(({ skipped }) => skipped > 0);
  // As it is now: what was chosen along with the question came after the click.
  const action = actions.find(({ key }) => key === asked?.action.key);
  const skips = ({ action, skipped, reasons }: SortedAction<Row>) =>
    skipped > 0 ? t('skips', { action: action.label, count: skipped, reason: reasons.join(', ') }) : '';

  function start(entry: SortedAction<Row>) {
    if (entry.able.length === 0) return;
    if (entry.action.question) setAsked(entry);
    else void entry.action.run(entry.able);
  }
  function leave(event: KeyboardEvent) {
    if (event.key !== 'Escape' || asked) return;
    document.querySelector<HTMLElement>('tr[data-key-row][aria-selected="true"]')?.focus();
    onClear();
  }

  return (
    <>
      <div
        role="toolbar"
        aria-label={t('label')}
        data-batch-bar=""
        onKeyDown={leave}
        className="animate-appear border-line-strong bg-raised text-table shadow-popover absolute bottom-[62px] left-1/2 z-20 flex max-w-[calc(100%-16px)] -translate-x-1/2 items-center gap-0.5 rounded-lg border p-1.5 whitespace-nowrap max-lg:right-2 max-lg:left-2 max-lg:translate-x-0 max-lg:flex-wrap"
      >
        <span className="min-w-[86px] px-2 font-medium tabular-nums max-lg:mr-auto" role="status">
          {t('selected', { count: rows.length })}
        </span>
        {sorted.map((entry, index) => (
          <Button
            key={entry.action.key}
            variant="ghost"
            size="sm"
            aria-disabled={entry.able.length === 0}
            data-key-batch={index === 0 ? '' : undefined}
            className="aria-disabled:text-text-disabled max-sm:w-9 max-sm:px-0 [&_svg]:size-4"
            onMouseEnter={() => setFocused(entry.action.key)}
            onFocus={() => setFocused(entry.action.key)}
            onClick={() => start(entry)}
          >
            {entry.action.icon}
            <span className="max-sm:sr-only">{entry.action.label}</span>
          </Button>
        ))}
        <span aria-hidden="true" className="bg-line-strong mx-1.5 h-5 w-px max-lg:hidden" />
        <span className="text-text-3 w-64 min-w-0 truncate pl-1 max-lg:order-last max-lg:h-5 max-lg:w-full max-lg:px-2">
          {shown && skips(shown)}
        </span>
        <span className="max-lg:hidden">
          <Kbd>B</Kbd>
        </span>
        <IconButton size="sm" label={t('clear')} onClick={onClear}>
          <X className="size-4" />
        </IconButton>
      </div>
      {asked && action?.question && (
        <ConfirmDialog
          {...action.question(asked.able.length)}
          confirmLabel={t('confirm', { action: action.label, count: asked.able.length })}
          onConfirm={async () => action.run(asked.able)}
          onClose={() => setAsked(undefined)}
        >
          <NameList names={asked.able.map(rowName)} />
          {action.choices?.(asked.able)}
          {asked.skipped > 0 && <p className="text-table text-text-2">{skips(asked)}</p>}
        </ConfirmDialog>
      )}
    </>
  );
}
