'use client';

import { Command } from 'cmdk';
import clsx from 'clsx';
import { Check, ChevronsUpDown } from 'lucide-react';
import { useState, type ReactNode } from 'react';
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
  options: PickerOption[];
  value: string;
  onPick: (value: string) => void;
  searchLabel: string;
  emptyText: string;
}

/** A list to search in by typing; the arrow keys move, Enter picks. */
export function PickerList({ options, value, onPick, searchLabel, emptyText }: PickerListProps) {
  return (
    <Command label={searchLabel} className="w-full">
      <Command.Input
        placeholder={searchLabel}
        className="h-9 w-full border-b border-line bg-transparent px-3 text-table shadow-none placeholder:text-text-3 focus-visible:shadow-none"
      />
      <Command.List className="max-h-64 overflow-y-auto p-1">
        <Command.Empty className="px-2 py-3 text-small text-text-3">{emptyText}</Command.Empty>
        {options.map((option) => (
          <Command.Item
            key={option.value}
            value={`${option.text} ${option.value}`}
            disabled={option.isDisabled}
            onSelect={() => onPick(option.value)}
            className="flex min-h-[30px] cursor-pointer items-center gap-2 rounded-[6px] px-2 text-table data-[disabled=true]:cursor-default data-[disabled=true]:text-text-disabled data-[selected=true]:bg-active max-lg:min-h-9"
          >
            <span className="min-w-0 truncate">{option.label ?? option.text}</span>
            {option.detail && <span className="min-w-0 flex-1 truncate text-text-3">{option.detail}</span>}
            {option.value === value && <Check className="ml-auto size-3.5 text-accent-text" aria-hidden="true" />}
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
export function Picker({ options, value, onValueChange, placeholder, icon, disabled, searchLabel, emptyText, ...rest }: PickerProps) {
  const [isOpen, setOpen] = useState(false);
  const picked = options.find((option) => option.value === value);
  const trigger = (
    <button
      type="button"
      data-field=""
      disabled={disabled}
      role="combobox"
      aria-expanded={isOpen}
      aria-haspopup="dialog"
      {...rest}
      className="flex h-8 w-full min-w-0 items-center gap-2 rounded-md border border-line-strong bg-surface px-2.5 text-table shadow-control disabled:bg-sunken disabled:text-text-disabled aria-invalid:border-bad"
    >
      {icon}
      <span className={clsx('flex min-w-0 flex-1 items-center gap-2 text-left', !picked && 'text-text-3')}>
        <span className="truncate">{picked ? (picked.label ?? picked.text) : placeholder}</span>
        {picked?.detail && <span className="truncate text-text-3">{picked.detail}</span>}
      </span>
      <ChevronsUpDown className="size-3.5 text-text-3" aria-hidden="true" />
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
