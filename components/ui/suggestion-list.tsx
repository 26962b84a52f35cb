'use client';

import * as Popover from '@radix-ui/react-popover';
import clsx from 'clsx';
import { useEffect, type ReactNode, type RefObject } from 'react';

export interface Suggestion {
  value: string;
  /** Grey, below the value. */
  detail?: string;
  /** At the end of the line. */
  note?: string;
}

interface SuggestionListProps<Option extends Suggestion> {
  /** Of the list; its options are `ID-0`, `ID-1`, … */
  id: string;
  label: string;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  options: Option[];
  /** -1 for none. */
  marked: number;
  onPick: (option: Option) => void;
  /** In words: that something is on its way, or can't be had. */
  message?: ReactNode;
  /** The field that it belongs to: around it, or elsewhere. */
  children?: ReactNode;
  anchor?: RefObject<HTMLElement | null>;
}

/** What a text field suggests, below it. The field keeps the focus. */
export function SuggestionList<Option extends Suggestion>(props: SuggestionListProps<Option>) {
  const { id, label, isOpen, onOpenChange, options, marked, onPick, message, children, anchor } = props;
  useEffect(() => {
    if (isOpen && marked >= 0) document.getElementById(`${id}-${marked}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, isOpen, marked]);
  return (
    <Popover.Root open={isOpen} onOpenChange={onOpenChange}>
      {anchor ? (
        <Popover.Anchor virtualRef={anchor as RefObject<HTMLElement>} />
      ) : (
        <Popover.Anchor asChild>{children}</Popover.Anchor>
      )}
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
          <ul id={id} role="listbox" aria-label={label} className="max-h-72 overflow-y-auto p-1 empty:hidden">
            {options.map((option, index) => (
              <li
                key={option.value}
                id={`${id}-${index}`}
                role="option"
                aria-selected={index === marked}
                // Before the field loses the focus.
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => onPick(option)}
                className={clsx(
                  'flex min-h-[30px] cursor-pointer flex-col justify-center rounded-[6px] px-2 py-1 max-lg:min-h-9',
                  index === marked ? 'bg-active' : 'hover:bg-hover',
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
