'use client';

import { useTranslations } from 'next-intl';
import { useEffect, useRef, useState } from 'react';
import { useRecordList } from '@/components/data/records';
import type { CollectionName, Collections } from '@/components/data/types';
import { BatchBar } from './batch-bar';
import { ListBlank } from './list-blank';
import { ListFilters } from './list-filters';
import { listParamsOf, pageInstead, type ListWords } from './list-address';
import { useListState } from './list-state';
import { listFilterOf } from './list-filter';
import type { ListDefinition } from './list-types';
import { PageHead } from './page-head';
import { Pager } from './pager';
import { RecordTable } from './record-table';
import { SearchHints } from './search/search-hints';
import { useTaggedList } from './tags/use-tagged-list';
import { useRowKeys } from './use-row-keys';

/** Every list page: title, actions, filters, table, paging. */
export function RecordList<Name extends CollectionName>({ list: given }: { list: ListDefinition<Name> }) {
  const { list, columnsOf, dialog } = useTaggedList(given);
  const t = useTranslations('common.list');
  const { state, change } = useListState(listWordsOf(list));
  const area = useRef<HTMLDivElement>(null);
  useRowKeys(area);
  const [selected, setSelected] = useState<Record<string, boolean>>({});
  const { filter, hints, keys } = listFilterOf(list, state);
  const params = listParamsOf(list, state, filter);
  const query = useRecordList(list.collection, params);
  const rows: Collections[Name][] = query.data?.items ?? [];
  const total = query.data?.totalItems ?? 0;
  const isNarrowed = state.search !== '' || Object.keys(state.filters).length > 0;
  const instead = query.isSuccess && !query.isPlaceholderData ? pageInstead(state, total) : undefined;
  const isBlank = query.data ? rows.length === 0 && !query.isPlaceholderData && instead === undefined : query.isError;
  const chosen = rows.filter((row) => selected[row.id]);
  const isActing = Boolean(list.batch) && chosen.length > 0;

  useEffect(() => {
    if (instead !== undefined) change({ page: instead }, { isCorrection: true });
  });

  function clear() {
    change({ search: undefined, ...Object.fromEntries(list.filters.map((filter) => [filter.key, undefined])) });
  }

  return (
    <div ref={area} className="relative flex min-h-0 flex-1 flex-col">
      <PageHead title={list.title} total={query.isSuccess ? total : undefined} actions={list.actions} />
      <ListFilters list={list} keys={keys} state={state} onChange={change} onClear={isNarrowed ? clear : undefined} />
      <SearchHints hints={hints} keys={keys.map(({ key }) => key)} />
      {list.notice}
      <div
        className="min-h-0 flex-1 overflow-x-hidden overflow-y-auto"
        data-key-rows=""
        role="region"
        aria-label={t('region', { title: list.title })}
        tabIndex={0}
        data-inset=""
      >
        {isBlank ? (
          <ListBlank
            list={list}
            error={query.error}
            isNarrowed={isNarrowed}
            onClear={clear}
            onRetry={() => void query.refetch()}
          />
        ) : (
          <RecordTable
            list={{ ...list, columns: columnsOf(rows, (tag) => change({ tag })) }}
            rows={rows}
            isLoading={query.isPending || instead !== undefined}
            isStale={query.isPlaceholderData}
            sort={params.sort}
            onSort={(next) => change({ sort: next === list.defaultSort ? undefined : next })}
            selected={selected}
            onSelect={setSelected}
          />
        )}
        {isActing && <div className="h-16" />}
      </div>
      {list.batch && isActing && (
        <BatchBar rows={chosen} rowName={list.rowName} actions={list.batch} onClear={() => setSelected({})} />
      )}
      {dialog}
      <Pager state={state} total={total} isReady={query.isSuccess} onChange={change} />
    </div>
  );
}

/** What the address of a list may name. */
function listWordsOf<Name extends CollectionName>(list: ListDefinition<Name>): ListWords {
  return {
    filterKeys: list.filters.map((filter) => filter.key),
    sortKeys: list.columns.flatMap(({ sortKey }) => sortKey ?? []),
  };
}
