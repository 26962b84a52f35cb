'use client';

import clsx from 'clsx';
import { ChevronsUpDown } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useId, useState, type ReactNode } from 'react';
import type { PickerOption } from './picker-list';
import { Popover } from './popover';

/** What is searched in comes along once there is something to search. */
export const PickerList = dynamic(() => import('./picker-list').then((module) => module.PickerList), {
  ssr: false,
  loading: () => <div className="h-9" aria-busy="true" />,
});

interface PickerProps {
  'data-path'?: string;
  id?: string;
  /** The option that is picked; its text alone is enough. */
  picked: Pick<PickerOption, 'text' | 'label' | 'detail'> | undefined;
  placeholder: string;
  icon?: ReactNode;
  disabled?: boolean;
  label: string;
  'aria-invalid'?: boolean | undefined;
  'aria-describedby'?: string | undefined;
  /** What opens: a list that is tied by the id and calls `close` after a pick. */
  children: (list: { listId: string; close: () => void }) => ReactNode;
}

/** A field whose value is one of many options. */
export function Picker({ picked, placeholder, icon, disabled, label, children, ...rest }: PickerProps) {
  const [isOpen, setOpen] = useState(false);
  const listId = useId();
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
      className="border-line-strong bg-surface text-table shadow-control disabled:bg-sunken disabled:text-text-disabled aria-invalid:border-bad flex h-8 w-full min-w-0 items-center gap-2 rounded-md border px-2.5 max-lg:h-9"
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
      label={label}
      trigger={trigger}
      className="w-(--radix-popover-trigger-width) min-w-60 overflow-hidden"
    >
      {children({ listId, close: () => setOpen(false) })}
    </Popover>
  );
}
