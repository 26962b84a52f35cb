'use client';

import * as Primitive from '@radix-ui/react-select';
import clsx from 'clsx';
import { Check, ChevronsUpDown } from 'lucide-react';
import type { ReactNode } from 'react';

export interface SelectOption {
  value: string;
  label: ReactNode;
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

export function Select({ value, onValueChange, options, placeholder, disabled, size = 'md', isBare, className, ...rest }: SelectProps) {
  return (
    <Primitive.Root value={value} onValueChange={onValueChange} disabled={disabled}>
      <Primitive.Trigger
        {...rest}
        data-inset={isBare ? '' : undefined}
        className={clsx(
          'flex min-w-0 items-center justify-between gap-2 text-table data-placeholder:text-text-3 disabled:bg-sunken disabled:text-text-disabled',
          isBare ? 'h-full w-full px-2.5' : 'border border-line-strong bg-surface shadow-control aria-invalid:border-bad',
          !isBare && (size === 'sm' ? 'h-7 rounded-ctl px-2' : 'h-8 rounded-md px-2.5'),
          className,
        )}
      >
        <span className="truncate">
          <Primitive.Value placeholder={placeholder} />
        </span>
        <ChevronsUpDown className="size-3.5 text-text-3" aria-hidden="true" />
      </Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          position="popper"
          sideOffset={4}
          className="z-50 max-h-72 min-w-(--radix-select-trigger-width) animate-appear overflow-hidden rounded-card border border-line-strong bg-raised shadow-popover"
        >
          <Primitive.Viewport className="p-1">
            {options.map((option) => (
              <Primitive.Item
                key={option.value}
                value={option.value}
                className="flex h-[30px] items-center gap-2 rounded-[6px] px-2 text-table outline-none data-highlighted:bg-active data-highlighted:shadow-none"
              >
                <Primitive.ItemText>{option.label}</Primitive.ItemText>
                <Primitive.ItemIndicator className="ml-auto">
                  <Check className="size-3.5 text-accent-text" aria-hidden="true" />
                </Primitive.ItemIndicator>
              </Primitive.Item>
            ))}
          </Primitive.Viewport>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
