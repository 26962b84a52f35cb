'use client';

import clsx from 'clsx';
import { useId, type ReactNode } from 'react';

interface SegmentedProps<Value extends string> {
  label: string;
  value: Value;
  onValueChange: (value: Value) => void;
  options: { value: Value; label: ReactNode }[];
  size?: 'sm' | 'md';
}

/** A choice of a few, side by side: radio buttons in another dress, so the arrow keys work. */
export function Segmented<Value extends string>({
  label,
  value,
  onValueChange,
  options,
  size = 'sm',
}: SegmentedProps<Value>) {
  const name = useId();
  return (
    <div
      role="radiogroup"
      aria-label={label}
      className="border-line bg-sunken inline-flex shrink-0 gap-px rounded-md border p-0.5"
    >
      {options.map((option) => (
        <label
          key={option.value}
          className={clsx(
            'text-text-2 relative inline-flex cursor-pointer items-center gap-1.5 rounded-[6px] font-medium whitespace-nowrap',
            'has-checked:bg-surface has-checked:text-text has-checked:ring-line-strong dark:has-checked:bg-active has-checked:ring-1',
            'has-focus-visible:shadow-(--focus-ring)',
            size === 'sm' ? 'text-small h-6 px-[9px] max-lg:h-9' : 'text-table h-7 px-3 max-lg:h-9',
          )}
        >
          <input
            type="radio"
            className="absolute inset-0 cursor-pointer opacity-0"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onValueChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </div>
  );
}
