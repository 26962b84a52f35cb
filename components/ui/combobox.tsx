'use client';

import { useId, useState, type KeyboardEvent, type ReactNode, type Ref } from 'react';
import { GridInput } from './grid-table';
import { nextMark } from './next-mark';
import { SuggestionList, type Suggestion } from './suggestion-list';

export type ComboboxOption = Suggestion;

interface ComboboxProps {
  ref?: Ref<HTMLInputElement>;
  name?: string;
  label: string;
  listLabel: string;
  value: string;
  /** Typing, which may be of anything. */
  onChange: (text: string) => void;
  onPick: (option: ComboboxOption) => void;
  /** Enter on what was typed, with no option marked. */
  onEnter?: () => void;
  onBlur?: () => void;
  onOpenChange?: (isOpen: boolean) => void;
  onMark?: (option: ComboboxOption | undefined) => void;
  options: ComboboxOption[];
  /** In words: that something is on its way, or can't be had. */
  message?: ReactNode;
  isInvalid?: boolean;
  readOnly?: boolean;
  placeholder?: string;
  title?: string;
  opensOnFocus?: boolean;
}

/**
 * A text field for cells of tables that suggests: the arrows mark a suggestion, Enter takes it, Escape closes. What is typed is
 * taken as it is unless one is marked.
 */
export function Combobox(props: ComboboxProps) {
  const { label, value, onChange, onPick, onBlur, options, message, readOnly = false } = props;
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const [marked, setMarked] = useState(-1);
  const isShown = isOpen && !readOnly && (options.length > 0 || Boolean(message));
  const at = isShown && marked < options.length ? marked : -1;

  function open(next: boolean) {
    if (next === isOpen) return;
    setOpen(next);
    props.onOpenChange?.(next);
    if (!next) mark(-1);
  }
  function mark(next: number) {
    setMarked(next);
    props.onMark?.(options[next]);
  }
  function pick(option: ComboboxOption) {
    open(false);
    onPick(option);
  }
  function onKeyDown(event: KeyboardEvent) {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0 && !readOnly) {
      event.preventDefault();
      open(true);
      if (isShown && options.length > 0) mark(nextMark(at, step, options.length));
    } else if (event.key === 'Escape' && isShown) {
      event.preventDefault();
      event.stopPropagation();
      open(false);
    } else if (event.key === 'Enter' && !event.metaKey && !event.ctrlKey) {
      event.preventDefault();
      const option = options[at];
      if (option) return pick(option);
      open(false);
      props.onEnter?.();
    }
  }

  return (
    <SuggestionList
      id={`${id}-list`}
      label={props.listLabel}
      isOpen={isShown}
      onOpenChange={open}
      options={options}
      marked={at}
      onPick={pick}
      message={message}
    >
      <GridInput
        ref={props.ref}
        name={props.name}
        role="combobox"
        aria-label={label}
        aria-expanded={isShown}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={at >= 0 ? `${id}-list-${at}` : undefined}
        aria-invalid={props.isInvalid}
        title={props.title}
        placeholder={props.placeholder}
        readOnly={readOnly}
        value={value}
        onChange={(event) => {
          mark(-1);
          open(true);
          onChange(event.target.value);
        }}
        onFocus={() => props.opensOnFocus && open(true)}
        onClick={() => props.opensOnFocus && open(true)}
        onKeyDown={onKeyDown}
        onBlur={() => {
          open(false);
          onBlur?.();
        }}
      />
    </SuggestionList>
  );
}
