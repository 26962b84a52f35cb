'use client';

import { keepPreviousData, useQueries, useQuery, useQueryClient, type Query } from '@tanstack/react-query';
import type { ListResult } from 'pocketbase';
import { useCallback, useState, useSyncExternalStore } from 'react';
import { ready } from './client';
import type { CollectionName, Collections } from './types';

interface RecordQuery {
  sort?: string;
  filter?: string;
  expand?: string;
}

export interface ListParams extends RecordQuery {
  /** 1-based, as the API counts. */
  page: number;
  perPage: number;
}

interface Enabled {
  isEnabled?: boolean;
}

/** Options of the client without the unset ones, which it would send as the text "undefined". */
function sent(options: Record<string, string | undefined>): Record<string, string | number> {
  const result: Record<string, string | number> = { can: 1 };
  for (const [key, value] of Object.entries(options)) if (value) result[key] = value;
  return result;
}

export const recordKeys = {
  collection: (name: CollectionName) => ['records', name] as const,
  list: (name: CollectionName, params: ListParams) => ['records', name, 'list', params] as const,
  all: (name: CollectionName, params: RecordQuery) => ['records', name, 'all', params] as const,
  count: (name: CollectionName, filter: string) => ['records', name, 'count', filter] as const,
  one: (name: CollectionName, id: string, expand: string) => ['records', name, 'one', id, expand] as const,
};

function listQuery<Name extends CollectionName>(name: Name, params: ListParams) {
  const { page, perPage, ...rest } = params;
  return {
    queryKey: recordKeys.list(name, params),
    queryFn: async (): Promise<ListResult<Collections[Name]>> =>
      (await ready()).collection(name).getList<Collections[Name]>(page, perPage, sent({ ...rest })),
  };
}

interface ListOptions extends Enabled {
  /** Asked again when a change takes a row out of the filter. */
  followsFilter?: boolean;
  /** A form begins with its answer: see `useIsFilling`. */
  fillsForm?: boolean;
}

const fillsForm = ({ meta, state }: Query) => meta?.['fillsForm'] === true && state.status === 'pending';

/** Whether a form is still to be told what it begins with: what is sent before that would lack it. */
export function useIsFilling(): boolean {
  const cache = useQueryClient().getQueryCache();
  return useSyncExternalStore(
    useCallback((onChange) => cache.subscribe(onChange), [cache]),
    // One that has not begun counts too: the button must not come and go.
    () => cache.findAll({ predicate: fillsForm }).length > 0,
    () => true,
  );
}

/**
 * One page of a collection; the page before stays in sight while the next one loads. Rows that a change takes out of
 * the filter stay until the list is asked for again, as nothing may jump, unless it `followsFilter`.
 */
export function useRecordList<Name extends CollectionName>(
  name: Name,
  params: ListParams,
  { isEnabled = true, followsFilter = false, fillsForm = false }: ListOptions = {},
) {
  return useQuery({
    ...listQuery(name, params),
    placeholderData: keepPreviousData,
    enabled: isEnabled,
    meta: { ...(followsFilter && { filter: params.filter ?? '' }), ...(fillsForm && { fillsForm }) },
  });
}

/** The first records, `step` of them, and more of them when asked; `total` counts all there are. */
export function useFirstRecords<Name extends CollectionName>(
  name: Name,
  params: RecordQuery,
  { step = 50, isEnabled = true }: Enabled & { step?: number } = {},
) {
  const [pages, setPages] = useState(1);
  const result = useQueries({
    queries: Array.from({ length: pages }, (_, index) => ({
      ...listQuery(name, { page: index + 1, perPage: step, ...params }),
      enabled: isEnabled,
    })),
    combine: (results) => ({
      items: withoutDoubles(results.flatMap(({ data }) => data?.items ?? [])),
      total: results[0]?.data?.totalItems ?? 0,
      isPending: results[0]?.isPending ?? true,
      isMoreComing: results.some(({ isFetching, data }) => isFetching && !data),
      error: results.find(({ error }) => error)?.error ?? null,
    }),
  });
  return { ...result, showMore: result.items.length < result.total ? () => setPages(pages + 1) : undefined };
}

/** What is new at the top moves the last of a page to the next one, which may be asked for a moment later. */
export function withoutDoubles<Row extends { id: string }>(rows: Row[]): Row[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}

/** How many records there are; undefined until that is known. */
export function useRecordCount(
  name: CollectionName,
  filter: string,
  { isEnabled = true }: Enabled = {},
): number | undefined {
  return useQuery({
    queryKey: recordKeys.count(name, filter),
    queryFn: async () => (await (await ready()).collection(name).getList(1, 1, { filter, fields: 'id' })).totalItems,
    enabled: isEnabled,
    meta: { filter },
  }).data;
}

export function useRecord<Name extends CollectionName>(name: Name, id: string, expand = '') {
  return useQuery({
    queryKey: recordKeys.one(name, id, expand),
    queryFn: async (): Promise<Collections[Name]> =>
      (await ready()).collection(name).getOne<Collections[Name]>(id, sent({ expand })),
    enabled: id !== '',
  });
}

/** A record that may be gone, or hidden from the viewer: nothing then, and no failure. */
export function useRecordIfAny<Name extends CollectionName>(
  name: Name,
  id: string,
  expand = '',
): Collections[Name] | undefined {
  const params = { page: 1, perPage: 1, filter: `id = '${id}'`, ...(expand && { expand }) };
  return useQuery({ ...listQuery(name, params), enabled: id !== '' }).data?.items[0];
}

/** Whether a record is known not to be there for the viewer. Asks nothing that `useRecordIfAny` has not asked. */
export function useIsMissing(name: CollectionName, id: string, expand = ''): boolean {
  const params = { page: 1, perPage: 1, filter: `id = '${id}'`, ...(expand && { expand }) };
  const { data } = useQuery({ ...listQuery(name, params), enabled: id !== '' });
  return data?.items.length === 0;
}

/** Marks everything that is cached of a collection as old and asks again for what is in sight. */
export function useRefresh() {
  const queries = useQueryClient();
  return (...names: CollectionName[]) =>
    Promise.all(names.map((name) => queries.invalidateQueries({ queryKey: recordKeys.collection(name) })));
}
