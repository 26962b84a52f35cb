'use client';

import * as Primitive from '@radix-ui/react-dropdown-menu';
import clsx from 'clsx';
import { useRef, useState, type ComponentProps, type ReactNode } from 'react';

interface MenuProps {
  trigger: ReactNode;
  align?: 'start' | 'end';
  children: ReactNode;
}

export function Menu({ trigger, align = 'end', children }: MenuProps) {
  const opener = useRef<HTMLButtonElement>(null);
  // The menu lies inside the part of the page that it belongs to, so that a screen reader finds it there.
  const [container, setContainer] = useState<HTMLElement | null>(null);
  const findContainer = () =>
    setContainer(opener.current?.closest<HTMLElement>('[role="dialog"], main, aside, header') ?? null);
  return (
    <Primitive.Root modal={false} onOpenChange={findContainer}>
      <Primitive.Trigger ref={opener} asChild>
        {trigger}
      </Primitive.Trigger>
      <Primitive.Portal container={container}>
        <Primitive.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className="animate-appear rounded-card border-line-strong bg-raised text-table shadow-popover z-50 min-w-[190px] border p-1"
        >
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

interface MenuItemProps extends ComponentProps<typeof Primitive.Item> {
  icon?: ReactNode;
  isDanger?: boolean;
}

/** One line of a menu. With `asChild` its child, a link, takes the line. */
export function MenuItem({ icon, isDanger, asChild, children, className, ...rest }: MenuItemProps) {
  return (
    <Primitive.Item
      asChild={asChild}
      className={clsx(
        'data-highlighted:bg-active flex h-[30px] cursor-pointer items-center gap-[9px] rounded-[6px] px-2 outline-none select-none data-highlighted:shadow-none max-lg:h-9 [&_svg]:size-4',
        'data-disabled:text-text-disabled data-disabled:cursor-default',
        isDanger ? 'text-bad-text' : 'text-text [&_svg]:text-text-3',
        className,
      )}
      {...rest}
    >
      {asChild ? (
        children
      ) : (
        <>
          {icon}
          {children}
        </>
      )}
    </Primitive.Item>
  );
}

export function MenuLine() {
  return <Primitive.Separator className="border-line -mx-1 my-1 border-t" />;
}
