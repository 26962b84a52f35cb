'use client';

import * as Primitive from '@radix-ui/react-checkbox';
import clsx from 'clsx';
import { Check, Minus } from 'lucide-react';
import type { ComponentProps } from 'react';

interface CheckboxProps extends ComponentProps<typeof Primitive.Root> {
  /** `implied` follows from another choice. */
  look?: 'plain' | 'implied';
}

export function Checkbox({ look = 'plain', className, ...rest }: CheckboxProps) {
  return (
    <Primitive.Root
      className={clsx(
        'border-line-control bg-surface relative inline-grid size-4 shrink-0 place-items-center rounded-[4.5px] border-[1.25px] align-middle',
        'after:absolute after:-inset-2.5',
        look === 'plain' &&
          'data-[state=checked]:border-accent data-[state=checked]:bg-accent data-[state=checked]:text-on-accent',
        'data-[state=indeterminate]:border-accent data-[state=indeterminate]:bg-accent data-[state=indeterminate]:text-on-accent',
        look === 'implied' &&
          'data-[state=checked]:border-accent-line data-[state=checked]:bg-accent-soft data-[state=checked]:text-accent-text',
        'disabled:bg-active disabled:border-transparent disabled:data-[state=checked]:border-transparent',
        'disabled:data-[state=checked]:bg-active disabled:data-[state=checked]:text-text-2',
        className,
      )}
      {...rest}
    >
      <Primitive.Indicator className="group">
        <Check className="size-3 group-data-[state=indeterminate]:hidden" strokeWidth={3} />
        <Minus className="hidden size-3 group-data-[state=indeterminate]:block" strokeWidth={3} />
      </Primitive.Indicator>
    </Primitive.Root>
  );
}
