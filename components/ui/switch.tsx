'use client';

import * as Primitive from '@radix-ui/react-switch';
import clsx from 'clsx';
import type { ComponentProps } from 'react';

export function Switch({ className, ...rest }: ComponentProps<typeof Primitive.Root>) {
  return (
    <Primitive.Root
      className={clsx(
        'relative h-4 w-7 shrink-0 rounded-full bg-line-control transition-colors after:absolute after:-inset-2 data-[state=checked]:bg-accent disabled:opacity-50',
        className,
      )}
      {...rest}
    >
      <Primitive.Thumb className="block size-3 translate-x-0.5 rounded-full bg-surface transition-transform data-[state=checked]:translate-x-3.5" />
    </Primitive.Root>
  );
}
