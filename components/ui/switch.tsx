'use client';

import * as Primitive from '@radix-ui/react-switch';
import clsx from 'clsx';
import type { ComponentProps } from 'react';

export function Switch({ className, ...rest }: ComponentProps<typeof Primitive.Root>) {
  return (
    <Primitive.Root
      className={clsx(
        'bg-line-control data-[state=checked]:bg-accent relative h-4 w-7 shrink-0 rounded-full transition-colors after:absolute after:-inset-x-2 after:-inset-y-2.5 disabled:opacity-50',
        className,
      )}
      {...rest}
    >
      <Primitive.Thumb className="bg-surface block size-3 translate-x-0.5 rounded-full transition-transform data-[state=checked]:translate-x-3.5" />
    </Primitive.Root>
  );
}
