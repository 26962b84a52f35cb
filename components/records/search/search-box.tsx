'use client';

import clsx from 'clsx';
import { Search } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useEffect, useId, useRef, useState, type KeyboardEvent, type SyntheticEvent } from 'react';
import { AffixInput } from '@/components/ui/input';
import { nextMark } from '@/components/ui/next-mark';
import { Kbd } from '@/components/ui/parts';
import { completeSearch, spotAt } from './complete-search';
import type { SearchKey } from './search-filter';

const SearchSuggestions = dynamic(() => import('./search-suggestions').then((module) => module.SearchSuggestions), {
  ssr: false,
});

const SETTLED_MS = 200;
/** More characters get a wider box. */
const LONG = 22;

interface SearchBoxProps {
  label: string;
  collection: string;
  keys: readonly SearchKey[];
  value: string;
  onChange: (search: string) => void;
}

/**
 * Text and `key:value` that narrow a list. While it is typed, keys and values are suggested: the arrows mark one, Enter and Tab
 * take it, Escape closes.
 */
export function SearchBox({ label, collection, keys, value, onChange }: SearchBoxProps) {
  const listId = useId();
  const frame = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  const [caret, setCaret] = useState(0);
  const [wasFocused, setWasFocused] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const [offered, setOffered] = useState<string[]>([]);
  const [marked, setMarked] = useState(-1);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const spot = spotAt(text, caret, keys);
  const isShown = isOpen && keys.length > 0 && offered.length > 0;
  const at = isShown && marked < offered.length ? marked : -1;
  if (known !== value) {
    setKnown(value);
    // A blank that is typed at the end is no search of its own.
    if (value !== text.trim()) setText(value);
  }
  useEffect(() => () => clearTimeout(timer.current), []);

  function tell(next: string, waitMs: number) {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => onChange(next.trim()), waitMs);
  }
  function type(next: string, place: number, waitMs = SETTLED_MS) {
    setText(next);
    setCaret(place);
    setMarked(-1);
    tell(next, waitMs);
  }
  function pick(picked: string) {
    if (!spot) return;
    const next = completeSearch(text, spot, picked);
    type(next.text, next.caret, 0);
    setOpen(spot.kind === 'key');
    requestAnimationFrame(() => input.current?.setSelectionRange(next.caret, next.caret));
  }
  function onKeyDown(event: KeyboardEvent) {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const picked = offered[at];
    if (step !== 0) {
      event.preventDefault();
      setOpen(true);
      if (isShown) setMarked(nextMark(at, step, offered.length));
    } else if (event.key === 'Escape' && isShown) {
      event.preventDefault();
      event.stopPropagation();
      setOpen(false);
      setMarked(-1);
    } else if ((event.key === 'Enter' || event.key === 'Tab') && picked !== undefined) {
      event.preventDefault();
      pick(picked);
    } else if (event.key === 'Enter') {
      setOpen(false);
      tell(text, 0);
    }
  }
  const follow = (event: SyntheticEvent<HTMLInputElement>) => setCaret(event.currentTarget.selectionStart ?? 0);

  return (
    <>
      <div ref={frame} className={clsx('shrink-0', text.length > LONG ? 'w-96 max-lg:w-72' : 'w-60 max-lg:w-44')}>
        <AffixInput
          ref={input}
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
          value={text}
          onChange={(event) => {
            setOpen(event.target.value !== '');
            type(event.target.value, event.target.selectionStart ?? event.target.value.length);
          }}
          onSelect={follow}
          onFocus={() => setWasFocused(true)}
          onKeyDown={onKeyDown}
          onBlur={() => setOpen(false)}
          before={<Search className="text-text-3 size-4" aria-hidden="true" />}
          after={<Kbd>/</Kbd>}
        />
      </div>
      {wasFocused && keys.length > 0 && (
        <SearchSuggestions
          id={listId}
          anchor={frame}
          collection={collection}
          keys={keys}
          spot={spot}
          isOpen={isOpen}
          marked={at}
          onOpenChange={setOpen}
          onOffer={setOffered}
          onPick={pick}
        />
      )}
    </>
  );
}
