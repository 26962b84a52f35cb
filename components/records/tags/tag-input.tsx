'use client';

import { X } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useId, useState, type ClipboardEvent, type KeyboardEvent } from 'react';
import { nextMark } from '@/components/ui/next-mark';
import { SuggestionList } from '@/components/ui/suggestion-list';
import { isTag, spellTag, tagLimits } from '@/lib/vocabulary/tags';
import { useUsedTags } from './use-used-tags';

interface TagInputProps {
  id?: string;
  'aria-label'?: string | undefined;
  'aria-describedby'?: string | undefined;
  'aria-invalid'?: boolean | undefined;
  value: string[];
  onChange: (tags: string[]) => void;
  /** Told what is no tag, or one too many; undefined once that is over. */
  onProblem?: (problem: 'invalidTag' | 'tooManyTags' | undefined) => void;
  /** The only tags there are to choose from; all that the viewer sees where left out. */
  only?: string[];
  isReadOnly?: boolean;
}

const SHOWN = 8;

/** Tags as chips in a field: Enter or a comma adds what was typed, Backspace takes the last one away. */
export function TagInput({ value, onChange, onProblem, only, isReadOnly = false, ...field }: TagInputProps) {
  const t = useTranslations('common.tags');
  const listId = useId();
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [marked, setMarked] = useState(-1);
  const [told, setTold] = useState('');
  const { tags } = useUsedTags(text, { isEnabled: isOpen && !only });
  const found = only ? only.filter((tag) => tag.includes(spellTag(text))).map((tag) => ({ tag, count: 0 })) : tags;
  const options = found
    .filter(({ tag }) => !value.includes(tag))
    .slice(0, SHOWN)
    .map(({ tag, count }) => ({ value: tag, ...(count > 0 && { note: String(count) }) }));
  const isShown = isOpen && options.length > 0 && !isReadOnly;
  const at = isShown && marked < options.length ? marked : -1;

  /** Takes what it can; what is no tag stays in the field. */
  function add(words: string[]) {
    const spelled = [...new Set(words.map(spellTag))].filter((word) => word !== '');
    const isTaken = (word: string) => isTag(word) && (!only || only.includes(word));
    const fresh = spelled.filter((word) => isTaken(word) && !value.includes(word));
    const next = [...value, ...fresh].slice(0, tagLimits.perRecord);
    const left = spelled.filter((word) => !isTaken(word));
    setText(left.join(', '));
    setMarked(-1);
    if (next.length > value.length) {
      onChange(next);
      setTold(t('added', { tags: next.slice(value.length).join(', ') }));
    }
    const isFull = value.length + fresh.length > tagLimits.perRecord;
    onProblem?.(left.length > 0 ? 'invalidTag' : isFull ? 'tooManyTags' : undefined);
  }
  function remove(tag: string) {
    onChange(value.filter((each) => each !== tag));
    setTold(t('removed', { tags: tag }));
    onProblem?.(undefined);
  }
  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setOpen(true);
      if (isShown) setMarked(nextMark(at, event.key === 'ArrowDown' ? 1 : -1, options.length));
    } else if (event.key === 'Escape' && isShown) {
      event.preventDefault();
      event.stopPropagation();
      setOpen(false);
    } else if (event.key === ',' || (event.key === 'Enter' && !event.metaKey && !event.ctrlKey)) {
      const picked = options[at]?.value ?? text;
      // With nothing to add, Enter is the form's.
      if (event.key === 'Enter' && picked.trim() === '') return;
      event.preventDefault();
      add([picked]);
    } else if (event.key === 'Backspace' && text === '' && value.length > 0) {
      remove(value.at(-1)!);
    }
  }
  function onPaste(event: ClipboardEvent) {
    const pasted = event.clipboardData.getData('text');
    if (!/[,\n]/.test(pasted)) return;
    event.preventDefault();
    add(`${text}${pasted}`.split(/[,\n]/));
  }

  return (
    <SuggestionList
      id={listId}
      label={t('suggestions')}
      isOpen={isShown}
      onOpenChange={setOpen}
      options={options}
      marked={at}
      onPick={(option) => add([option.value])}
    >
      <div
        data-field=""
        className="border-line-strong bg-surface text-table shadow-control has-aria-invalid:border-bad has-[input:disabled]:bg-sunken flex min-h-8 w-full min-w-0 flex-wrap items-center gap-1 rounded-md border px-1.5 py-[3px] max-lg:min-h-9"
      >
        {value.map((tag) => (
          <span
            key={tag}
            className="bg-sunken text-small ring-line text-text-2 inline-flex h-5 max-w-full items-center rounded-sm pl-1.5 ring-1 ring-inset max-lg:h-6"
          >
            <span className="truncate">{tag}</span>
            <button
              type="button"
              aria-label={t('removeOne', { tag })}
              className="hover:text-text text-text-3 grid size-5 place-items-center rounded-sm disabled:hidden max-lg:size-6"
              onClick={() => remove(tag)}
            >
              <X className="size-3" aria-hidden="true" />
            </button>
          </span>
        ))}
        <input
          {...field}
          role="combobox"
          aria-expanded={isShown}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={at >= 0 ? `${listId}-${at}` : undefined}
          data-path="tags"
          autoComplete="off"
          spellCheck={false}
          readOnly={isReadOnly}
          placeholder={value.length === 0 ? t('placeholder') : undefined}
          className="placeholder:text-text-3 h-6 min-w-28 flex-1 bg-transparent px-1 shadow-none focus-visible:shadow-none"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setMarked(-1);
            setOpen(true);
            onProblem?.(undefined);
          }}
          onFocus={() => setOpen(true)}
          onClick={() => setOpen(true)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          onBlur={() => {
            setOpen(false);
            if (text.trim() !== '') add([text]);
          }}
        />
        <span role="status" className="sr-only">
          {told}
        </span>
      </div>
    </SuggestionList>
  );
}
