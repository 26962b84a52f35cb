'use client';

import * as Primitive from '@radix-ui/react-dialog';
import clsx from 'clsx';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from './button';

interface DialogProps {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  title: ReactNode;
  description?: ReactNode;
  closeLabel: string;
  width?: 'sm' | 'md' | 'lg';
  /** Bottom right, the primary one last. */
  actions?: ReactNode;
  /** Bottom left. */
  footNote?: ReactNode;
  children: ReactNode;
}

const widths = { sm: 'max-w-[500px]', md: 'max-w-[620px]', lg: 'max-w-[720px]' };

export function Dialog({
  isOpen,
  onOpenChange,
  title,
  description,
  closeLabel,
  width = 'sm',
  actions,
  footNote,
  children,
}: DialogProps) {
  return (
    <Primitive.Root open={isOpen} onOpenChange={onOpenChange}>
      <Primitive.Portal>
        <Primitive.Overlay className="animate-appear bg-scrim fixed inset-0 z-40 grid items-start justify-items-center overflow-y-auto px-3 pt-[9vh] pb-6">
          <Primitive.Content
            {...(description ? {} : { 'aria-describedby': undefined })}
            className={clsx(
              'border-line-strong bg-raised shadow-dialog w-full overflow-hidden rounded-lg border',
              widths[width],
            )}
          >
            <div className="flex items-start gap-3 px-3 pt-4 pb-3 pl-5">
              <div className="min-w-0">
                <Primitive.Title className="text-lead font-semibold tracking-[-0.012em]">{title}</Primitive.Title>
                {description && (
                  <Primitive.Description className="text-table text-text-2 mt-0.5">{description}</Primitive.Description>
                )}
              </div>
              <Primitive.Close asChild>
                <IconButton label={closeLabel} className="ml-auto">
                  <X className="size-4" />
                </IconButton>
              </Primitive.Close>
            </div>
            <div className="px-5 pt-1 pb-[18px]">{children}</div>
            {(actions || footNote) && (
              <div className="border-line bg-sunken text-table flex flex-wrap items-center gap-2 border-t px-5 py-3">
                <span className="text-text-2 min-w-0">{footNote}</span>
                <div className="ml-auto flex items-center gap-2">{actions}</div>
              </div>
            )}
          </Primitive.Content>
        </Primitive.Overlay>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
