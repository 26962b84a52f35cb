'use client';

import * as Primitive from '@radix-ui/react-tabs';
import clsx from 'clsx';
import type { ReactNode } from 'react';

export interface TabItem {
  value: string;
  label: ReactNode;
  /** Set apart at the right end. */
  isTail?: boolean;
}

/** From here on they stand closer, so that they find room in one row of a usual window. */
const MANY = 10;

interface TabsProps {
  tabs: TabItem[];
  value: string;
  onValueChange: (value: string) => void;
  label: string;
  className?: string;
  children: ReactNode;
}

export function Tabs({ tabs, value, onValueChange, label, className, children }: TabsProps) {
  return (
    <Primitive.Root value={value} onValueChange={onValueChange} className={className}>
      <Primitive.List
        aria-label={label}
        className={clsx(
          'border-line flex shrink-0 flex-wrap border-b px-6 max-lg:px-4',
          tabs.length > MANY ? 'gap-x-3.5' : 'gap-x-5',
        )}
      >
        {tabs.map((tab) => (
          <Primitive.Trigger
            key={tab.value}
            value={tab.value}
            data-inset=""
            className={clsx(
              'text-table text-text-2 flex h-[38px] shrink-0 items-center gap-1.5 border-b-2 border-transparent font-medium whitespace-nowrap',
              'hover:text-text data-[state=active]:border-accent data-[state=active]:text-text',
              tab.isTail && 'lg:ml-auto',
            )}
          >
            {tab.label}
          </Primitive.Trigger>
        ))}
      </Primitive.List>
      {children}
    </Primitive.Root>
  );
}

interface TabPanelProps {
  value: string;
  className?: string;
  /** Stays while another tab is shown, so that what was typed is not lost. */
  isKept?: boolean;
  children: ReactNode;
}

export function TabPanel({ value, className, isKept, children }: TabPanelProps) {
  return (
    <Primitive.Content
      value={value}
      data-inset=""
      forceMount={isKept || undefined}
      className={clsx('data-[state=inactive]:hidden', className)}
    >
      {children}
    </Primitive.Content>
  );
}
