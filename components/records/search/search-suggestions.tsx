'use client';

import { useTranslations } from 'next-intl';
import { useEffect, type RefObject } from 'react';
import { useRecordList } from '@/components/data/records';
import { useSettled } from '@/components/data/use-settled';
import { SuggestionList, type Suggestion } from '@/components/ui/suggestion-list';
import { isMatch } from '../record-choices';
import type { TagScope } from '../tags/tag-scope';
import { useUsedTags } from '../tags/use-used-tags';
import { keysLike, type SearchSpot } from './complete-search';
import { searchFilter } from './filter-text';
import type { SearchKey } from './search-filter';

const SHOWN = 8;

interface SearchSuggestionsProps {
  id: string;
  anchor: RefObject<HTMLElement | null>;
  tagScope: TagScope;
  keys: readonly SearchKey[];
  spot: SearchSpot | undefined;
  isOpen: boolean;
  marked: number;
  onOpenChange: (isOpen: boolean) => void;
  /** Told what there is to mark. */
  onOffer: (values: string[]) => void;
  onPick: (value: string) => void;
}

/** What the search box suggests: keys, and the values of one. */
export function SearchSuggestions(props: SearchSuggestionsProps) {
  const { id, anchor, tagScope, keys, spot, isOpen, marked, onOpenChange, onOffer, onPick } = props;
  const t = useTranslations('common.search');
  const found = useFoundValues(spot?.kind === 'value' && isOpen ? spot : undefined, tagScope);
  const all = spot?.kind === 'value' ? found : keyOptions(spot?.typed ?? '', keys);
  // What stands there already, alone, is no suggestion: the list would only lie above the rows.
  const options = all.length === 1 && all[0]?.value === spot?.typed && spot?.kind === 'value' ? [] : all;
  const offered = options.map(({ value }) => value).join('\n');
  useEffect(() => onOffer(offered === '' ? [] : offered.split('\n')), [offered, onOffer]);
  return (
    <SuggestionList
      id={id}
      label={t('suggestions')}
      isOpen={isOpen && options.length > 0}
      onOpenChange={onOpenChange}
      options={options}
      marked={marked}
      onPick={({ value }) => onPick(value)}
      anchor={anchor}
    />
  );
}

function keyOptions(typed: string, keys: readonly SearchKey[]): Suggestion[] {
  return keysLike(typed, keys).map(({ key, label }) => ({ value: key, note: label }));
}

type ValueSpot = Extract<SearchSpot, { kind: 'value' }>;

/** The values of a key that have what is typed in them: those that are known, then those that are found. */
function useFoundValues(spot: ValueSpot | undefined, tagScope: TagScope): Suggestion[] {
  const typed = spot?.typed.toLowerCase() ?? '';
  const search = useSettled(spot?.typed ?? '');
  const suggest = spot?.key.suggest;
  const page = { page: 1, perPage: SHOWN, expand: '' };
  const asked = (kind: typeof suggest, fields: string[]) =>
    [{ ...page, sort: fields[0]!, filter: searchFilter(fields, search) }, { isEnabled: suggest === kind }] as const;
  const users = useRecordList('users', ...asked('users', ['username', 'name']));
  const hosts = useRecordList('hosts', ...asked('hosts', ['name']));
  const images = useRecordList('images', ...asked('images', ['name', 'repository']));
  const { tags } = useUsedTags(spot?.typed ?? '', { ...tagScope, isEnabled: suggest === 'tags' });
  // What an earlier text found is still in sight while the next answer is on its way.
  const rowsOf = <Row,>(
    query: { data?: { items: Row[] } | undefined; isPlaceholderData: boolean },
    words: (row: Row) => string[],
  ) => {
    const isBusy = query.isPlaceholderData || search !== spot?.typed;
    const items = query.data?.items ?? [];
    return isBusy ? items.filter((row) => words(row).some((word) => isMatch(word, typed))) : items;
  };
  const rowsBy: Record<NonNullable<typeof suggest>, () => Suggestion[]> = {
    users: () =>
      rowsOf(users, ({ username, name }) => [username, name]).map(({ username, name }) => ({
        value: username,
        note: name,
      })),
    hosts: () => rowsOf(hosts, ({ name }) => [name]).map(({ name }) => ({ value: name })),
    images: () => rowsOf(images, ({ name, repository }) => [name, repository]).map(({ name }) => ({ value: name })),
    tags: () => tags.map(({ tag, count }) => ({ value: tag, note: String(count) })),
  };
  const rows = suggest ? rowsBy[suggest]() : [];
  const known = (spot?.key.values ?? [])
    .filter(({ value, label }) => value.includes(typed) || label.toLowerCase().includes(typed))
    .map(({ value, label }) => ({ value, note: label }));
  const all = new Map([...known, ...rows].map((option) => [option.value, option]));
  return [...all.values()].slice(0, Math.max(SHOWN, known.length));
}
