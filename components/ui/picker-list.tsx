'use client';

import { Command } from 'cmdk';
import { Check } from 'lucide-react';
import { useState, type ReactNode } from 'react';

export interface PickerOption {
  value: string;
  /** What typing searches in. */
  text: string;
  label?: ReactNode;
  /** Grey, after the label. */
  detail?: ReactNode;
  isDisabled?: boolean;
}

/** Typing that is answered elsewhere: the options are what was found for the text. */
interface PickerSearch {
  text: string;
  onTextChange: (text: string) => void;
  isBusy: boolean;
}

interface PickerListProps {
  listId?: string | undefined;
  options: PickerOption[];
  value: string;
  onPick: (value: string) => void;
  searchLabel: string;
  emptyText: string;
  /** Without one, the list is searched here. */
  search?: PickerSearch;
  /** Below the options: that there are more. */
  note?: ReactNode;
}

/** What typing is compared with, and what tells options of the same name apart. */
const keyOf = (option: PickerOption) => `${option.text} ${option.value}`.trim();

/** A list to search in by typing; the arrow keys move, Enter picks. */
export function PickerList(props: PickerListProps) {
  const { listId, options, value, onPick, searchLabel, emptyText, search, note } = props;
  const [marked, setMarked] = useState('');
  // Options that are found elsewhere come later than the typing: the mark moves to the first of them.
  const first = options.find((option) => !option.isDisabled);
  const isMarkShown = options.some((option) => keyOf(option) === marked);
  const control = search && { value: isMarkShown || !first ? marked : keyOf(first), onValueChange: setMarked };
  return (
    <Command id={listId} label={searchLabel} className="w-full" shouldFilter={!search} {...control}>
      <Command.Input
        // It may come a moment after the frame around it.
        autoFocus
        placeholder={searchLabel}
        {...(search && { value: search.text, onValueChange: search.onTextChange })}
        className="border-line text-table placeholder:text-text-3 h-9 w-full border-b bg-transparent px-3 shadow-none focus-visible:shadow-none"
      />
      <Command.List className="max-h-64 overflow-y-auto p-1" aria-busy={search?.isBusy}>
        {!search?.isBusy && <Command.Empty className="text-small text-text-3 px-2 py-3">{emptyText}</Command.Empty>}
        {options.map((option) => (
          <Command.Item
            key={option.value}
            value={keyOf(option)}
            disabled={option.isDisabled}
            onSelect={() => onPick(option.value)}
            className="group/option text-table data-[disabled=true]:text-text-disabled data-[selected=true]:bg-active flex min-h-[30px] cursor-pointer items-center gap-2 rounded-[6px] px-2 data-[disabled=true]:cursor-default max-lg:min-h-9"
          >
            <span className="min-w-0 truncate">{option.label ?? option.text}</span>
            {option.detail && (
              <span className="text-text-3 group-data-[selected=true]/option:text-text-2 min-w-0 flex-1 truncate">
                {option.detail}
              </span>
            )}
            {option.value === value && <Check className="text-accent-text ml-auto size-3.5" aria-hidden="true" />}
          </Command.Item>
        ))}
      </Command.List>
      {note && (
        <p role="status" className="border-line text-small text-text-3 border-t px-3 py-1.5">
          {note}
        </p>
      )}
    </Command>
  );
}
