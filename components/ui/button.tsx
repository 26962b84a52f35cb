import { Slot } from '@radix-ui/react-slot';
import clsx from 'clsx';
import type { ComponentProps, ReactNode } from 'react';
import { BusyArc } from './glyph';

const variants = {
  default:
    'border-line-strong bg-surface text-text shadow-control hover:bg-sunken [&_svg]:text-text-2 disabled:border-line disabled:bg-sunken',
  primary:
    'border-accent bg-accent text-on-accent hover:border-accent-hover hover:bg-accent-hover disabled:border-line disabled:bg-sunken',
  ghost: 'border-transparent text-text-2 enabled:hover:bg-hover [a]:hover:bg-hover',
  danger:
    'border-line-strong bg-surface text-bad-text shadow-control hover:bg-sunken disabled:border-line disabled:bg-sunken',
  dangerSolid: 'border-bad bg-bad text-on-bad enabled:hover:opacity-90 disabled:border-line disabled:bg-sunken',
};
const sizes = {
  sm: 'h-7 rounded-ctl px-[9px] text-table max-lg:h-9',
  md: 'h-8 rounded-md px-3 text-table max-lg:h-9',
  lg: 'h-9 rounded-md px-3 text-base',
};
const iconSizes = {
  sm: 'size-7 rounded-ctl max-lg:size-9',
  md: 'size-8 rounded-md max-lg:size-9',
  lg: 'size-9 rounded-md',
};

export interface ButtonProps extends ComponentProps<'button'> {
  variant?: keyof typeof variants;
  size?: keyof typeof sizes;
  /** Renders the one child, a link as a rule, in the button's clothes. */
  asChild?: boolean;
  /** Shows a turning arc and refuses clicks. */
  isBusy?: boolean;
}

const base =
  'inline-flex shrink-0 items-center justify-center gap-[7px] border leading-none font-medium whitespace-nowrap transition-colors ' +
  'disabled:text-text-disabled disabled:shadow-none disabled:[&_svg]:text-text-disabled';

export function Button({
  variant = 'default',
  size = 'md',
  asChild,
  isBusy,
  children,
  className,
  ...rest
}: ButtonProps) {
  const classes = clsx(base, variants[variant], sizes[size], className);
  if (asChild) {
    return (
      <Slot className={classes} {...rest}>
        {children}
      </Slot>
    );
  }
  return (
    <button
      type="button"
      className={classes}
      aria-disabled={isBusy}
      {...rest}
      onClick={isBusy ? preventSubmit : rest.onClick}
    >
      {isBusy && <BusyArc />}
      {children}
    </button>
  );
}

function preventSubmit(event: { preventDefault(): void }) {
  event.preventDefault();
}

interface IconButtonProps extends ButtonProps {
  /** Read out and shown on hover. */
  label: string;
  children: ReactNode;
}

export function IconButton({
  label,
  variant = 'ghost',
  size = 'md',
  asChild,
  className,
  children,
  ...rest
}: IconButtonProps) {
  const classes = clsx(base, variants[variant], iconSizes[size], className);
  const Tag = asChild ? Slot : 'button';
  return (
    <Tag
      {...(asChild ? {} : { type: 'button' as const })}
      className={classes}
      aria-label={label}
      title={label}
      {...rest}
    >
      {children}
    </Tag>
  );
}
