import type { ListParams } from '@/components/data/records';
import type { CollectionName } from '@/components/data/types';
import { limits } from '@/lib/vocabulary/limits';

/** A list's state as the address holds it. Bad values fall back; the first page is 0. */
export interface ListState {
  search: string;
  perPage: number;
  page: number;
  sort: string;
  /** Chosen filter values by key. */
  filters: Record<string, string>;
}

/** What the address of a list may name, besides search and paging. */
export interface ListWords {
  filterKeys: string[];
  sortKeys: string[];
}

export function parseListState(params: URLSearchParams, { filterKeys, sortKeys }: ListWords): ListState {
  const search = params.get('search') ?? '';
  const perPage = numberOf(params.get('perPage'));
  const page = numberOf(params.get('page'));
  const state = {
    search: search.length <= limits.searchLength ? search : '',
    perPage: limits.pageSizes.find((size) => size === perPage) ?? limits.pageSizeDefault,
    page: Number.isSafeInteger(page) && page >= 0 ? page : 0,
    sort: params.get('sort') ?? '',
  };
  if (!sortKeys.includes(state.sort.replace(/^-/, ''))) state.sort = '';
  const filters: Record<string, string> = {};
  for (const key of filterKeys) {
    const value = params.get(key);
    if (value) filters[key] = value;
  }
  return { ...state, filters };
}

/** Without zod, which would come along with every list. */
function numberOf(text: string | null): number {
  return text === null ? NaN : Number(text);
}

/** The address without what fell back, as it is read. */
export function correctAddress(params: URLSearchParams, state: ListState): URLSearchParams {
  const right = new URLSearchParams(params);
  for (const key of ['search', 'perPage', 'page', 'sort'] as const) {
    const written = right.get(key);
    if (written !== null && written !== String(state[key])) right.delete(key);
  }
  return right;
}

/** The page to show instead of one past the end; undefined where the page is there. */
export function pageInstead(state: Pick<ListState, 'page' | 'perPage'>, total: number): number | undefined {
  const last = Math.max(0, Math.ceil(total / state.perPage) - 1);
  return state.page > last ? last : undefined;
}

/** What a list asks for while nobody searches or filters. */
export interface ListQuestion<Name extends CollectionName = CollectionName> {
  collection: Name;
  baseFilter?: string;
  expand: string;
  defaultSort: string;
}

/** A page of the list as it is asked for; `filter` is all that narrows it, its own included. */
export function listParamsOf(
  { baseFilter = '', expand, defaultSort }: ListQuestion,
  { page, perPage, sort }: Pick<ListState, 'page' | 'perPage' | 'sort'>,
  filter = baseFilter,
): ListParams & Required<Pick<ListParams, 'sort' | 'filter' | 'expand'>> {
  return { page: page + 1, perPage, sort: sort || defaultSort, filter, expand };
}
