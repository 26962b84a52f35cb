'use client';

import { Command } from 'cmdk';
import clsx from 'clsx';
import { Check, ChevronsUpDown } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import { Popover } from './popover';

export interface PickerOption {
  value: string;
  /** What typing searches in. */
  text: string;
  label?: ReactNode;
  /** Grey, after the label. */
  detail?: ReactNode;
  isDisabled?: boolean;
}

interface PickerListProps {
  listId?: string;
  options: PickerOption[];
  value: string;
  onPick: (value: string) => void;
  searchLabel: string;
  emptyText: string;
}

/** A list to search in by typing; the arrow keys move, Enter picks. */
export function PickerList({ listId, options, value, onPick, searchLabel, emptyText }: PickerListProps) {
  return (
    <Command id={listId} label={searchLabel} className="w-full">
      <Command.Input
        placeholder={searchLabel}
        className="border-line text-table placeholder:text-text-3 h-9 w-full border-b bg-transparent px-3 shadow-none focus-visible:shadow-none"
      />
      <Command.List className="max-h-64 overflow-y-auto p-1">
        <Command.Empty className="text-small text-text-3 px-2 py-3">{emptyText}</Command.Empty>
        {options.map((option) => (
          <Command.Item
            key={option.value}
            value={`${option.text} ${option.value}`}
            disabled={option.isDisabled}
            onSelect={() => onPick(option.value)}
            className="text-table data-[disabled=true]:text-text-disabled data-[selected=true]:bg-active flex min-h-[30px] cursor-pointer items-center gap-2 rounded-[6px] px-2 data-[disabled=true]:cursor-default max-lg:min-h-9"
          >
            <span className="min-w-0 truncate">{option.label ?? option.text}</span>
            {option.detail && <span className="text-text-3 min-w-0 flex-1 truncate">{option.detail}</span>}
            {option.value === value && <Check className="text-accent-text ml-auto size-3.5" aria-hidden="true" />}
          </Command.Item>
        ))}
      </Command.List>
    </Command>
  );
}

interface PickerProps extends Omit<PickerListProps, 'onPick'> {
  'data-path'?: string;
  id?: string;
  onValueChange: (value: string) => void;
  placeholder: string;
  icon?: ReactNode;
  disabled?: boolean;
  'aria-label'?: string;
  'aria-invalid'?: boolean | undefined;
  'aria-describedby'?: string | undefined;
}

/** A field whose value is one of many options. */
export function Picker({
  options,
  value,
  onValueChange,
  placeholder,
  icon,
  disabled,
  searchLabel,
  emptyText,
  ...rest
}: PickerProps) {
  const [isOpen, setOpen] = useState(false);
  const listId = useId();
  const picked = options.find((option) => option.value === value);
  const trigger = (
    <button
      type="button"
      data-field=""
      disabled={disabled}
      role="combobox"
      aria-expanded={isOpen}
      aria-haspopup="dialog"
      aria-controls={listId}
      {...rest}
      className="border-line-strong bg-surface text-table shadow-control disabled:bg-sunken disabled:text-text-disabled aria-invalid:border-bad flex h-8 w-full min-w-0 items-center gap-2 rounded-md border px-2.5"
    >
      {icon}
      <span className={clsx('flex min-w-0 flex-1 items-center gap-2 text-left', !picked && 'text-text-3')}>
        <span className="truncate">{picked ? (picked.label ?? picked.text) : placeholder}</span>
        {picked?.detail && <span className="text-text-3 truncate">{picked.detail}</span>}
      </span>
      <ChevronsUpDown className="text-text-3 size-3.5" aria-hidden="true" />
    </button>
  );
  return (
    <Popover
      isOpen={isOpen}
      onOpenChange={setOpen}
      label={searchLabel}
      trigger={trigger}
      className="w-(--radix-popover-trigger-width) min-w-60 overflow-hidden"
    >
      <PickerList
        listId={listId}
        options={options}
        value={value}
        searchLabel={searchLabel}
        emptyText={emptyText}
        onPick={(next) => {
          onValueChange(next);
          setOpen(false);
        }}
      />
    </Popover>
  );
}
