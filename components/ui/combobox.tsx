'use client';

import * as Popover from '@radix-ui/react-popover';
import clsx from 'clsx';
import { useId, useState, type KeyboardEvent, type ReactNode, type Ref } from 'react';
import { GridInput } from './grid-table';

export interface ComboboxOption {
  value: string;
  /** Grey, below the value. */
  detail?: string;
  /** At the end of the line. */
  note?: string;
}

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
    if (next >= 0) document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' });
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
      // From the text into the list and out of it again.
      if (isShown && options.length > 0) mark(((at + 1 + step + options.length + 1) % (options.length + 1)) - 1);
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
    <Popover.Root open={isShown} onOpenChange={open}>
      <Popover.Anchor asChild>
        <GridInput
          ref={props.ref}
          name={props.name}
          role="combobox"
          aria-label={label}
          aria-expanded={isShown}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={at >= 0 ? `${id}-${at}` : undefined}
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
      </Popover.Anchor>
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={4}
          collisionPadding={8}
          role="presentation"
          onOpenAutoFocus={(event) => event.preventDefault()}
          onCloseAutoFocus={(event) => event.preventDefault()}
          // The field beside it belongs to it.
          onInteractOutside={(event) => event.preventDefault()}
          className="animate-appear rounded-card border-line-strong bg-raised text-table shadow-popover z-50 w-[max(var(--radix-popper-anchor-width),18rem)] max-w-[calc(100vw-16px)] border"
        >
          <ul
            id={`${id}-list`}
            role="listbox"
            aria-label={props.listLabel}
            className="max-h-72 overflow-y-auto p-1 empty:hidden"
          >
            {options.map((option, index) => (
              <li
                key={option.value}
                id={`${id}-${index}`}
                role="option"
                aria-selected={index === at}
                // Before the field loses the focus.
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => pick(option)}
                className={clsx(
                  'flex min-h-[30px] cursor-pointer flex-col justify-center rounded-[6px] px-2 py-1 max-lg:min-h-9',
                  index === at ? 'bg-active' : 'hover:bg-hover',
                )}
              >
                <span className="flex items-baseline gap-3">
                  <span className="min-w-0 flex-1 truncate font-mono">{option.value}</span>
                  {option.note && <span className="text-small text-text-2 shrink-0 tabular-nums">{option.note}</span>}
                </span>
                {option.detail && <span className="text-small text-text-2 truncate">{option.detail}</span>}
              </li>
            ))}
          </ul>
          {message && (
            <p
              role="status"
              className={clsx(
                'text-small text-text-2 px-3 py-2 break-words',
                options.length > 0 && 'border-line border-t',
              )}
            >
              {message}
            </p>
          )}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
