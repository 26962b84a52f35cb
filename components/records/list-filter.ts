import type { ListState } from './list-address';
import type { ListNarrowing } from './list-types';
import { readMeaning, type SearchHint, type SearchKey } from './search/search-filter';

interface ListFilterText {
  /** Empty where nothing narrows it. */
  filter: string;
  hints: SearchHint[];
  /** Of the search box. */
  keys: SearchKey[];
}

/** What a list asks for: its own filter, the search and the chosen chips, all of which must hold. */
export function listFilterOf(list: ListNarrowing, state: Pick<ListState, 'search' | 'filters'>): ListFilterText {
  const keys = searchKeysOf(list);
  const search = readMeaning(state.search, { keys, fields: list.searchFields });
  const parts = [list.baseFilter ?? '', search.filter];
  for (const filter of list.filters) {
    const value = state.filters[filter.key];
    if (value) parts.push(filter.toFilter(value));
  }
  return { filter: parts.filter((part) => part !== '').join(' && '), hints: search.hints, keys };
}

function searchKeysOf({ filters, searchKeys = [] }: ListNarrowing): SearchKey[] {
  const own = filters.flatMap(({ key, label, options, term }): SearchKey[] =>
    term ? [{ ...term, key, label, values: options.filter(({ value }) => value !== '') }] : [],
  );
  return [...own, ...searchKeys];
}
