'use client';

import {
  flexRender,
  getCoreRowModel,
  useReactTable,
  type ColumnDef,
  type RowSelectionState,
} from '@tanstack/react-table';
import clsx from 'clsx';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useMemo } from 'react';
import type { CollectionName, Collections } from '@/components/data/types';
import { Checkbox } from '@/components/ui/checkbox';
import { Skeleton } from '@/components/ui/parts';
import type { ListColumn, ListDefinition } from './list-types';

interface RecordTableProps<Name extends CollectionName> {
  list: ListDefinition<Name>;
  rows: Collections[Name][];
  isLoading: boolean;
  /** Shows the page before while the next one loads. */
  isStale: boolean;
  sort: string;
  onSort: (sort: string) => void;
  selected: RowSelectionState;
  onSelect: (selected: RowSelectionState) => void;
}

const fromClasses = { lg: '', xl: 'max-xl:hidden', '2xl': 'max-2xl:hidden' };
const smallClasses = { name: 'max-lg:block', status: 'max-lg:block max-lg:pl-[34px]!', hidden: 'max-lg:hidden' };

function cellClass<Row>(column: ListColumn<Row>): string {
  return clsx(smallClasses[column.small ?? 'hidden'], column.from && fromClasses[column.from]);
}

const head =
  'sticky top-0 z-10 h-8 border-b border-line bg-surface pr-3 text-left text-small font-medium whitespace-nowrap text-text-3 first:pl-6';
const cell =
  'h-10 truncate border-b border-line pr-3 whitespace-nowrap text-text-2 first:pl-6 group-hover:bg-hover group-focus-within:bg-hover ' +
  'group-aria-selected:bg-accent-soft max-lg:h-auto max-lg:border-0 max-lg:p-0 max-lg:first:pl-0 max-lg:group-hover:bg-transparent';

export function RecordTable<Name extends CollectionName>(props: RecordTableProps<Name>) {
  const { list, rows, isLoading, isStale, sort, onSort, selected, onSelect } = props;
  const t = useTranslations('common.list');
  const isSelectable = Boolean(list.batch);
  const columns = useMemo<ColumnDef<Collections[Name]>[]>(
    () =>
      list.columns.map((column) => ({
        id: column.id,
        header: column.header,
        cell: (context) => column.cell(context.row.original),
      })),
    [list.columns],
  );
  const table = useReactTable<Collections[Name]>({
    data: rows,
    columns,
    getRowId: (row) => row.id,
    getCoreRowModel: getCoreRowModel(),
    manualPagination: true,
    manualSorting: true,
    enableRowSelection: isSelectable,
    state: { rowSelection: selected },
    onRowSelectionChange: (updater) => onSelect(typeof updater === 'function' ? updater(selected) : updater),
  });
  const columnOf = (id: string) => list.columns.find((column) => column.id === id);

  return (
    <table
      aria-busy={isLoading || isStale}
      className={clsx(
        'text-table w-full table-fixed border-separate border-spacing-0 max-lg:block',
        isStale && 'opacity-60',
      )}
    >
      <caption className="sr-only">{list.title}</caption>
      <thead className="max-lg:hidden">
        <tr>
          {isSelectable && (
            <th className={clsx(head, 'w-[52px]')}>
              <Checkbox
                aria-label={t('selectAll')}
                checked={table.getIsAllRowsSelected() || (table.getIsSomeRowsSelected() && 'indeterminate')}
                onCheckedChange={(checked) => table.toggleAllRowsSelected(checked === true)}
              />
            </th>
          )}
          {list.columns.map((column) => (
            <SortHead key={column.id} column={column} sort={sort} onSort={onSort} />
          ))}
          {list.rowActions && (
            <th className={clsx(head, 'w-[124px] pr-6 text-right')}>
              <span className="sr-only">{t('actions')}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody className="max-lg:block">
        {isLoading && (
          <SkeletonRows columns={list.columns} isSelectable={isSelectable} hasActions={Boolean(list.rowActions)} />
        )}
        {table.getRowModel().rows.map((row) => (
          <tr
            key={row.id}
            aria-selected={isSelectable ? row.getIsSelected() : undefined}
            className={clsx(
              'group max-lg:border-line max-lg:grid max-lg:items-center max-lg:gap-x-3 max-lg:border-b max-lg:py-2.5 max-lg:pr-2 max-lg:pl-4',
              isSelectable ? 'max-lg:grid-cols-[auto_minmax(0,1fr)_auto]' : 'max-lg:grid-cols-[minmax(0,1fr)_auto]',
              'aria-selected:max-lg:bg-accent-soft',
              list.isRowDim?.(row.original) && '[&_a]:text-text-3 [&_td]:text-text-3',
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
                  aria-label={t('select', { name: list.rowName(row.original) })}
                  checked={row.getIsSelected()}
                  onCheckedChange={(checked) => row.toggleSelected(checked === true)}
                />
              </td>
            )}
            {row.getVisibleCells().map((entry) => {
              const column = columnOf(entry.column.id);
              return (
                <td
                  key={entry.id}
                  className={clsx(
                    cell,
                    column && cellClass(column),
                    isSelectable ? 'max-lg:col-start-2' : 'max-lg:col-start-1',
                  )}
                >
                  {flexRender(entry.column.columnDef.cell, entry.getContext())}
                </td>
              );
            })}
            {list.rowActions && (
              <td
                className={clsx(
                  cell,
                  'overflow-visible pr-6 text-right text-clip max-lg:-col-end-1 max-lg:row-span-2 max-lg:row-start-1',
                )}
              >
                {list.rowActions(row.original)}
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function SortHead<Row>({
  column,
  sort,
  onSort,
}: {
  column: ListColumn<Row>;
  sort: string;
  onSort: (sort: string) => void;
}) {
  const key = column.sortKey;
  const isUp = sort === key;
  const isDown = sort === `-${key}`;
  return (
    <th
      className={clsx(head, column.from && fromClasses[column.from])}
      style={column.width ? { width: column.width } : undefined}
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
