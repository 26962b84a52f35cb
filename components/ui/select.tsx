'use client';

import * as Primitive from '@radix-ui/react-select';
import clsx from 'clsx';
import { Check, ChevronsUpDown } from 'lucide-react';
import type { ReactNode } from 'react';

export interface SelectOption {
  value: string;
  label: ReactNode;
  isDisabled?: boolean;
}

interface SelectProps {
  id?: string;
  value: string;
  onValueChange: (value: string) => void;
  options: SelectOption[];
  placeholder?: string;
  disabled?: boolean;
  size?: 'sm' | 'md';
  /** Without a frame, for cells of tables. */
  isBare?: boolean;
  className?: string;
  'aria-label'?: string;
  'aria-invalid'?: boolean | undefined;
  'aria-describedby'?: string | undefined;
}

export function Select({
  value,
  onValueChange,
  options,
  placeholder,
  disabled,
  size = 'md',
  isBare,
  className,
  ...rest
}: SelectProps) {
  return (
    <Primitive.Root value={value} onValueChange={onValueChange} disabled={disabled}>
      <Primitive.Trigger
        {...rest}
        data-inset={isBare ? '' : undefined}
        className={clsx(
          'text-table data-placeholder:text-text-3 disabled:bg-sunken disabled:text-text-disabled flex min-w-0 items-center justify-between gap-2',
          isBare
            ? 'h-full w-full px-2.5'
            : 'border-line-strong bg-surface shadow-control aria-invalid:border-bad border',
          !isBare && (size === 'sm' ? 'rounded-ctl h-7 px-2 max-lg:h-9' : 'h-8 rounded-md px-2.5 max-lg:h-9'),
          className,
        )}
      >
        <span className="truncate">
          <Primitive.Value placeholder={placeholder} />
        </span>
        <ChevronsUpDown className="text-text-3 size-3.5" aria-hidden="true" />
      </Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          position="popper"
          sideOffset={4}
          className="animate-appear rounded-card border-line-strong bg-raised shadow-popover z-50 max-h-72 min-w-(--radix-select-trigger-width) overflow-hidden border"
        >
          <Primitive.Viewport className="p-1">
            {options.map((option) => (
              <Primitive.Item
                key={option.value}
                value={option.value}
                disabled={option.isDisabled}
                className="text-table data-disabled:text-text-disabled data-highlighted:bg-active flex h-[30px] items-center gap-2 rounded-[6px] px-2 outline-none data-highlighted:shadow-none max-lg:h-9"
              >
                <Primitive.ItemText>{option.label}</Primitive.ItemText>
                <Primitive.ItemIndicator className="ml-auto">
                  <Check className="text-accent-text size-3.5" aria-hidden="true" />
                </Primitive.ItemIndicator>
              </Primitive.Item>
            ))}
          </Primitive.Viewport>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
