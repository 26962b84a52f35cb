'use client';

import clsx from 'clsx';
import { Search } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useId, useRef, useState } from 'react';
import { AffixInput } from '@/components/ui/input';
import { Kbd } from '@/components/ui/parts';
import { limits } from '@/lib/vocabulary/limits';
import type { TagScope } from '../tags/tag-scope';
import type { SearchKey } from './search-filter';
import { useSearchBox } from './use-search-box';

const SearchSuggestions = dynamic(() => import('./search-suggestions').then((module) => module.SearchSuggestions), {
  ssr: false,
});

/** More characters get a wider box. */
const LONG = 22;

interface SearchBoxProps {
  label: string;
  /** The records that it searches in, by what their tags are asked for. */
  tagScope: TagScope;
  keys: readonly SearchKey[];
  value: string;
  onChange: (search: string) => void;
}

/**
 * Text and `key:value` that narrow a list. While it is typed, keys and values are suggested: the arrows mark one, Enter and Tab
 * take it, Escape closes.
 */
export function SearchBox({ label, tagScope, keys, value, onChange }: SearchBoxProps) {
  const listId = useId();
  const frame = useRef<HTMLDivElement>(null);
  const [wasFocused, setWasFocused] = useState(false);
  const { text, at, isShown, field, suggestions } = useSearchBox({ keys, value, onChange });

  return (
    <>
      <div ref={frame} className={clsx('shrink-0', text.length > LONG ? 'w-96 max-lg:w-72' : 'w-60 max-lg:w-44')}>
        <AffixInput
          {...field}
          size="sm"
          className="text-ellipsis [&::-webkit-search-cancel-button]:hidden"
          type="search"
          data-key-search=""
          aria-label={label}
          placeholder={label}
          {...(keys.length > 0 && {
            role: 'combobox',
            'aria-expanded': isShown,
            'aria-controls': listId,
            'aria-autocomplete': 'list' as const,
            'aria-activedescendant': at >= 0 ? `${listId}-${at}` : undefined,
          })}
          autoComplete="off"
          spellCheck={false}
          maxLength={limits.searchLength}
          onFocus={() => setWasFocused(true)}
          before={<Search className="text-text-3 size-4" aria-hidden="true" />}
          after={<Kbd>/</Kbd>}
        />
      </div>
      {wasFocused && keys.length > 0 && (
        <SearchSuggestions id={listId} anchor={frame} tagScope={tagScope} keys={keys} {...suggestions} />
      )}
    </>
  );
}
