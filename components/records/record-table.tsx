'use client';

import clsx from 'clsx';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useRef, type MouseEvent } from 'react';
import type { CollectionName, Collections } from '@/components/data/types';
import { Checkbox } from '@/components/ui/checkbox';
import { Skeleton } from '@/components/ui/parts';
import type { ListColumn, ListDefinition } from './list-types';
import { useColumnRoom } from './use-column-room';

interface RecordTableProps<Name extends CollectionName> {
  list: ListDefinition<Name>;
  rows: Collections[Name][];
  isLoading: boolean;
  /** Shows the page before while the next one loads. */
  isStale: boolean;
  sort: string;
  onSort: (sort: string) => void;
  /** By the id of the row. */
  selected: Record<string, boolean>;
  onSelect: (selected: Record<string, boolean>) => void;
}

const smallClasses = { name: 'max-lg:block', status: 'max-lg:block max-lg:pl-[34px]!', hidden: 'max-lg:hidden' };

const cellClass = <Row,>(column: ListColumn<Row>) => smallClasses[column.small ?? 'hidden'];

/** A click on what does nothing by itself opens the row, unless a text was marked. */
function openRow(event: MouseEvent<HTMLTableRowElement>): void {
  const { currentTarget: row, target, ctrlKey, metaKey, shiftKey } = event;
  if (!(target instanceof Element) || !row.contains(target)) return;
  if (target.closest('a, button, input, label') || window.getSelection()?.type === 'Range') return;
  const box = target.closest('td')?.querySelector<HTMLElement>('[data-key-select]');
  if (box) return box.click();
  const opener = row.querySelector('[data-key-open]');
  opener?.dispatchEvent(
    new window.MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }),
  );
}

/** The selection with these rows in it, or without them. */
function withRows(selected: Record<string, boolean>, rows: { id: string }[], isIn: boolean): Record<string, boolean> {
  const left = Object.entries(selected).filter(([id]) => !rows.some((row) => row.id === id));
  return { ...Object.fromEntries(left), ...(isIn && Object.fromEntries(rows.map((row) => [row.id, true]))) };
}

const head =
  'sticky top-0 z-10 h-8 border-b border-line bg-surface pr-3 text-left text-small font-medium whitespace-nowrap text-text-3 first:pl-6 last:pr-6';
const cell =
  'h-10 truncate border-b border-line pr-3 whitespace-nowrap text-text-2 first:pl-6 last:pr-6 group-hover:bg-hover group-focus-within:bg-hover ' +
  'group-aria-selected:bg-accent-soft max-lg:h-auto max-lg:border-0 max-lg:p-0 max-lg:first:pl-0 max-lg:last:pr-0 max-lg:group-hover:bg-transparent';

export function RecordTable<Name extends CollectionName>(props: RecordTableProps<Name>) {
  const { list, rows, isLoading, isStale, sort, onSort, selected, onSelect } = props;
  const t = useTranslations('common.list');
  const isSelectable = Boolean(list.batch);
  const chosen = rows.filter((row) => selected[row.id]).length;
  const element = useRef<HTMLTableElement>(null);
  const widths = useColumnRoom(element, { columns: list.columns, rows });
  const isLeftOut = (id: string) => (widths && !(id in widths) ? '' : undefined);

  return (
    <table
      ref={element}
      aria-busy={isLoading || isStale}
      className={clsx(
        'text-table w-full table-fixed border-separate border-spacing-0 max-lg:block',
        isStale && 'opacity-60',
        // Until the columns have their widths, which the server can't know: nothing moves then.
        !widths && 'invisible',
      )}
    >
      <caption className="sr-only">{list.title}</caption>
      <thead className="max-lg:hidden">
        <tr>
          {isSelectable && (
            <th className={clsx(head, 'w-[52px]')}>
              <Checkbox
                aria-label={t('selectAll')}
                checked={chosen > 0 && (chosen === rows.length || 'indeterminate')}
                onCheckedChange={(checked) => onSelect(withRows(selected, rows, checked === true))}
              />
            </th>
          )}
          {list.columns.map((column) => (
            <SortHead
              key={column.id}
              column={column}
              width={widths?.[column.id]}
              isLeftOut={isLeftOut(column.id)}
              sort={sort}
              onSort={onSort}
            />
          ))}
          {list.rowActions && (
            <th className={clsx(head, 'pr-6 text-right')}>
              <span className="sr-only">{t('actions')}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody className="max-lg:block">
        {isLoading && (
          <SkeletonRows
            columns={list.columns.filter((column) => isLeftOut(column.id) === undefined)}
            isSelectable={isSelectable}
            hasActions={Boolean(list.rowActions)}
          />
        )}
        {rows.map((row) => (
          <tr
            key={row.id}
            data-key-row=""
            data-inset=""
            tabIndex={-1}
            onClick={openRow}
            aria-selected={isSelectable ? selected[row.id] === true : undefined}
            className={clsx(
              'group max-lg:border-line cursor-pointer scroll-mt-8 scroll-mb-16 max-lg:grid max-lg:items-center max-lg:gap-x-3 max-lg:border-b max-lg:py-2.5 max-lg:pr-2 max-lg:pl-4',
              isSelectable ? 'max-lg:grid-cols-[auto_minmax(0,1fr)_auto]' : 'max-lg:grid-cols-[minmax(0,1fr)_auto]',
              'aria-selected:max-lg:bg-accent-soft',
              list.isRowDim?.(row) && '[&_a]:text-text-3 [&_td]:text-text-3',
            )}
          >
            {isSelectable && (
              <td
                className={clsx(
                  cell,
                  'group-aria-selected:shadow-[inset_2px_0_0_var(--color-accent)] max-lg:row-span-2 max-lg:self-start max-lg:pt-1',
                )}
              >
                <Checkbox
                  data-key-select=""
                  aria-label={t('select', { name: list.rowName(row) })}
                  checked={selected[row.id] === true}
                  onCheckedChange={(checked) => onSelect(withRows(selected, [row], checked === true))}
                />
              </td>
            )}
            {list.columns.map((column) => (
              <td
                key={column.id}
                data-left-out={isLeftOut(column.id)}
                className={clsx(cell, cellClass(column), isSelectable ? 'max-lg:col-start-2' : 'max-lg:col-start-1')}
              >
                {column.cell(row)}
              </td>
            ))}
            {list.rowActions && (
              <td
                className={clsx(
                  cell,
                  'overflow-visible pr-6 text-right text-clip max-lg:-col-end-1 max-lg:row-span-2 max-lg:row-start-1',
                )}
              >
                {list.rowActions(row)}
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface SortHeadProps<Row> {
  column: ListColumn<Row>;
  width: number | undefined;
  isLeftOut: '' | undefined;
  sort: string;
  onSort: (sort: string) => void;
}

function SortHead<Row>({ column, width, isLeftOut, sort, onSort }: SortHeadProps<Row>) {
  const key = column.sortKey;
  const isUp = sort === key;
  const isDown = sort === `-${key}`;
  return (
    <th
      data-column={column.id}
      data-left-out={isLeftOut}
      className={head}
      style={width === undefined ? undefined : { width }}
      aria-sort={key && isUp ? 'ascending' : key && isDown ? 'descending' : undefined}
    >
      {key ? (
        <button
          type="button"
          className="hover:text-text inline-flex items-center gap-1 rounded-sm font-medium"
          onClick={() => onSort(isUp ? `-${key}` : key)}
        >
          {column.header}
          {isUp && <ArrowUp className="size-3.5" aria-hidden="true" />}
          {isDown && <ArrowDown className="size-3.5" aria-hidden="true" />}
        </button>
      ) : (
        column.header
      )}
    </th>
  );
}

function SkeletonRows<Row>({
  columns,
  isSelectable,
  hasActions,
}: {
  columns: ListColumn<Row>[];
  isSelectable: boolean;
  hasActions: boolean;
}) {
  return Array.from({ length: 8 }, (_, index) => (
    <tr key={index} className="max-lg:border-line max-lg:grid max-lg:gap-2 max-lg:border-b max-lg:p-4">
      {isSelectable && <td className={cell} />}
      {columns.map((column, place) => (
        <td key={column.id} className={clsx(cell, cellClass(column))}>
          <Skeleton className={['w-2/3', 'w-1/2', 'w-3/5'][(index + place) % 3]} />
        </td>
      ))}
      {hasActions && <td className={cell} />}
    </tr>
  ));
}
