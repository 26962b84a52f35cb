'use client';

import { useEffect, useRef, useState, type ChangeEvent, type KeyboardEvent, type SyntheticEvent } from 'react';
import { nextMark } from '@/components/ui/next-mark';
import { completeSearch, spotAt } from './complete-search';
import { stillUnheard } from './echo';
import type { SearchKey } from './search-filter';

const SETTLED_MS = 200;

interface SearchBoxState {
  keys: readonly SearchKey[];
  value: string;
  onChange: (search: string) => void;
}

/** What is typed in a search box, and what of the list below it is open, marked and taken. */
export function useSearchBox({ keys, value, onChange }: SearchBoxState) {
  const input = useRef<HTMLInputElement>(null);
  const { text, setText, tell } = useToldText(value, onChange);
  const [caret, setCaret] = useState(0);
  const [isOpen, setOpen] = useState(false);
  const [offered, setOffered] = useState<string[]>([]);
  const [marked, setMarked] = useState(-1);
  const spot = spotAt(text, caret, keys);
  const isShown = isOpen && keys.length > 0 && offered.length > 0;
  const at = isShown && marked < offered.length ? marked : -1;

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
    // What an input method still composes has these keys to itself.
    if (event.nativeEvent.isComposing) return;
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
  const field = {
    ref: input,
    value: text,
    onChange({ target }: ChangeEvent<HTMLInputElement>) {
      setOpen(target.value !== '');
      type(target.value, target.selectionStart ?? target.value.length);
    },
    onSelect: (event: SyntheticEvent<HTMLInputElement>) => setCaret(event.currentTarget.selectionStart ?? 0),
    onKeyDown,
    onBlur: () => setOpen(false),
  };
  const suggestions = { spot, isOpen, marked: at, onOpenChange: setOpen, onOffer: setOffered, onPick: pick };
  return { text, at, isShown, field, suggestions };
}

/** The text of the box: told once the typing pauses, and another where the value was changed elsewhere. */
function useToldText(value: string, onChange: (search: string) => void) {
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  const [told, setTold] = useState<readonly string[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  if (known !== value) {
    const left = stillUnheard(told, value);
    setKnown(value);
    setTold(left ?? []);
    // What comes back as it was told may be typed on by now.
    if (!left) setText(value);
  }
  useEffect(() => () => clearTimeout(timer.current), []);

  function tell(next: string, waitMs: number) {
    const search = next.trim();
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      setTold((before) => [...before, search]);
      onChange(search);
    }, waitMs);
  }
  return { text, setText, tell };
}
