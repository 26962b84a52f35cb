'use client';

import { useTranslations } from 'next-intl';
import { useState, type ChangeEvent, type ClipboardEvent, type KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';
import { nextMark } from '@/components/ui/next-mark';
import { spellTag } from '@/lib/vocabulary/tags';
import { takeTags, type TagProblem } from './take-tags';
import { useUsedTags } from './use-used-tags';

export interface TagInputState {
  value: string[];
  onChange: (tags: string[]) => void;
  /** Told what is no tag, or one too many; undefined once that is over. */
  onProblem?: (problem: TagProblem | undefined) => void;
  /** Told what stands in the field and is no tag of it yet. */
  onTextChange?: (text: string) => void;
  /** The only tags there are to choose from; all that the viewer sees where left out. */
  only?: string[];
  isReadOnly?: boolean;
}

const SHOWN = 8;

/** What is typed in a field of tags, and what of the list below it is open, marked and taken. */
export function useTagInput({ value, only, isReadOnly = false, ...told }: TagInputState) {
  const words = useTagText({ value, ...(only && { only }), ...told });
  const { text, write, add, remove } = words;
  const [isOpen, setOpen] = useState(false);
  const [marked, setMarked] = useState(-1);
  const options = useTagOptions(text, { value, only, isEnabled: isOpen });
  const isShown = isOpen && options.length > 0 && !isReadOnly;
  const at = isShown && marked < options.length ? marked : -1;

  function take(typed: string[]): TagProblem | undefined {
    setMarked(-1);
    return add(typed);
  }
  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    // What an input method still composes has these keys to itself.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setOpen(true);
      if (isShown) setMarked(nextMark(at, event.key === 'ArrowDown' ? 1 : -1, options.length));
    } else if (event.key === 'Escape' && isShown) {
      event.preventDefault();
      event.stopPropagation();
      setOpen(false);
    } else if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) {
      if (!isReadOnly && text.trim() !== '') takeBeforeSave(event, () => take([text]));
    } else if (event.key === ',' || event.key === 'Enter') {
      const picked = options[at]?.value ?? text;
      // With nothing to add, Enter is the form's.
      if (event.key === 'Enter' && picked.trim() === '') return;
      event.preventDefault();
      take([picked]);
    } else if (event.key === 'Backspace' && !event.repeat && !isReadOnly && text === '' && value.length > 0) {
      remove(value.at(-1)!);
    }
  }
  const field = {
    value: text,
    onChange(event: ChangeEvent<HTMLInputElement>) {
      write(event.target.value);
      setMarked(-1);
      setOpen(true);
      told.onProblem?.(undefined);
    },
    onFocus: () => setOpen(true),
    onClick: () => setOpen(true),
    onKeyDown,
    onPaste: (event: ClipboardEvent) => takePasted(event, text, take),
    onBlur() {
      setOpen(false);
      if (text.trim() !== '') take([text]);
    },
  };
  return { options, isShown, at, told: words.told, field, add: take, remove, setOpen };
}

/** Before the key that saves gets to what saves; what can't be taken keeps it from there. */
function takeBeforeSave(event: KeyboardEvent, take: () => TagProblem | undefined): void {
  if (!flushSync(take)) return;
  event.preventDefault();
  event.nativeEvent.stopImmediatePropagation();
}

function takePasted(event: ClipboardEvent, before: string, take: (typed: string[]) => void): void {
  const pasted = event.clipboardData.getData('text');
  if (!/[,\n]/.test(pasted)) return;
  event.preventDefault();
  take(`${before}${pasted}`.split(/[,\n]/));
}

/** What stands in the field, and what it makes of the tags. */
function useTagText({ value, onChange, onProblem, onTextChange, only }: TagInputState) {
  const t = useTranslations('common.tags');
  const [text, setText] = useState('');
  /** For screen readers. */
  const [told, setTold] = useState('');

  function write(next: string) {
    setText(next);
    onTextChange?.(next);
  }
  /** Takes what it can; what is no tag stays in the field. */
  function add(typed: string[]): TagProblem | undefined {
    const { tags, added, left, problem } = takeTags(value, typed, only);
    write(left.join(', '));
    if (added.length > 0) {
      onChange(tags);
      setTold(t('added', { tags: added.join(', ') }));
    }
    onProblem?.(problem);
    return problem;
  }
  function remove(tag: string) {
    onChange(value.filter((each) => each !== tag));
    setTold(t('removed', { tags: tag }));
    onProblem?.(undefined);
  }
  return { text, told, write, add, remove };
}

interface TagChoice {
  value: string[];
  only: string[] | undefined;
  isEnabled: boolean;
}

/** The tags with the text in them that are not among the value yet. */
function useTagOptions(text: string, { value, only, isEnabled }: TagChoice) {
  const { tags } = useUsedTags(text, { isEnabled: isEnabled && !only });
  const found = only ? only.filter((tag) => tag.includes(spellTag(text))).map((tag) => ({ tag, count: 0 })) : tags;
  return found
    .filter(({ tag }) => !value.includes(tag))
    .slice(0, SHOWN)
    .map(({ tag, count }) => ({ value: tag, ...(count > 0 && { note: String(count) }) }));
}
