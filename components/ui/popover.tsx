'use client';

import * as Primitive from '@radix-ui/react-popover';
import clsx from 'clsx';
import type { ReactNode } from 'react';

interface PopoverProps {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  trigger: ReactNode;
  label: string;
  align?: 'start' | 'end';
  className?: string;
  children: ReactNode;
}

export function Popover({ isOpen, onOpenChange, trigger, label, align = 'start', className, children }: PopoverProps) {
  return (
    <Primitive.Root open={isOpen} onOpenChange={onOpenChange}>
      <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          aria-label={label}
          className={clsx(
            'animate-appear rounded-card border-line-strong bg-raised text-table shadow-popover z-50 border',
            className,
          )}
        >
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
