'use client';

import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ListResult } from 'pocketbase';
import { ready } from './client';
import type { CollectionName, Collections } from './types';

export interface ListParams {
  /** 1-based, as the API counts. */
  page: number;
  perPage: number;
  sort?: string;
  filter?: string;
  expand?: string;
}

export interface AllParams {
  sort?: string;
  filter?: string;
  expand?: string;
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
  all: (name: CollectionName, params: AllParams) => ['records', name, 'all', params] as const,
  one: (name: CollectionName, id: string, expand: string) => ['records', name, 'one', id, expand] as const,
};

/** One page of a collection; the page before stays in sight while the next one loads. */
export function useRecordList<Name extends CollectionName>(
  name: Name,
  params: ListParams,
  { isEnabled = true }: { isEnabled?: boolean } = {},
) {
  const { page, perPage, ...rest } = params;
  return useQuery({
    queryKey: recordKeys.list(name, params),
    queryFn: async (): Promise<ListResult<Collections[Name]>> =>
      (await ready()).collection(name).getList<Collections[Name]>(page, perPage, sent(rest)),
    placeholderData: keepPreviousData,
    enabled: isEnabled,
  });
}

/** Up to 500 records at once, for pickers and for parts of a page. */
export function useAllRecords<Name extends CollectionName>(name: Name, params: AllParams = {}) {
  const { isEnabled = true, ...rest } = params;
  return useQuery({
    queryKey: recordKeys.all(name, rest),
    queryFn: async (): Promise<Collections[Name][]> =>
      (await (await ready()).collection(name).getList<Collections[Name]>(1, 500, { ...sent(rest), skipTotal: true })).items,
    enabled: isEnabled,
  });
}

export function useRecord<Name extends CollectionName>(name: Name, id: string, expand = '') {
  return useQuery({
    queryKey: recordKeys.one(name, id, expand),
    queryFn: async (): Promise<Collections[Name]> =>
      (await ready()).collection(name).getOne<Collections[Name]>(id, sent({ expand })),
    enabled: id !== '',
  });
}

/** Marks everything that is cached of a collection as old and asks again for what is in sight. */
export function useRefresh() {
  const queries = useQueryClient();
  return (...names: CollectionName[]) =>
    Promise.all(names.map((name) => queries.invalidateQueries({ queryKey: recordKeys.collection(name) })));
}
