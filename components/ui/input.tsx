import clsx from 'clsx';
import type { ComponentProps, ReactNode } from 'react';

const frame =
  'flex min-w-0 items-center gap-2 border border-line-strong bg-surface text-text shadow-control placeholder:text-text-3 ' +
  'aria-invalid:border-bad disabled:bg-sunken disabled:text-text-disabled';
const sizes = {
  sm: 'h-7 rounded-ctl px-2 text-table max-lg:h-9',
  md: 'h-8 rounded-md px-2.5 text-table max-lg:h-9',
  lg: 'h-9 rounded-md px-2.5 text-base',
};

interface InputProps extends Omit<ComponentProps<'input'>, 'size'> {
  size?: keyof typeof sizes;
  /** Set in the machine's face: names of images, ports, paths. */
  isMono?: boolean;
}

export function Input({ size = 'md', isMono, className, ...rest }: InputProps) {
  return (
    <input data-field="" className={clsx(frame, 'w-full', sizes[size], isMono && 'font-mono', className)} {...rest} />
  );
}

interface AffixInputProps extends InputProps {
  before?: ReactNode;
  after?: ReactNode;
  frameClassName?: string;
}

/** An input with something inside its frame: an icon before, a unit or a button after. */
export function AffixInput({
  before,
  after,
  frameClassName = 'w-full',
  size = 'md',
  isMono,
  className,
  ...rest
}: AffixInputProps) {
  return (
    <div
      data-field=""
      className={clsx(frame, sizes[size], 'has-[:disabled]:bg-sunken has-aria-invalid:border-bad', frameClassName)}
    >
      {before}
      <input
        className={clsx(
          'placeholder:text-text-3 h-full min-w-0 flex-1 bg-transparent',
          isMono && 'font-mono',
          className,
        )}
        {...rest}
      />
      {after}
    </div>
  );
}

export function Textarea({ isMono, className, ...rest }: ComponentProps<'textarea'> & { isMono?: boolean }) {
  return (
    <textarea
      data-field=""
      className={clsx(
        'border-line-strong bg-surface text-table shadow-control block w-full min-w-0 resize-y rounded-md border px-2.5 py-1.5',
        'placeholder:text-text-3 disabled:bg-sunken disabled:text-text-disabled aria-invalid:border-bad',
        isMono && 'font-mono',
        className,
      )}
      {...rest}
    />
  );
}
