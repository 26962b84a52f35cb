import clsx from 'clsx';
import type { ComponentProps, ReactNode } from 'react';

interface GridTableProps {
  label: string;
  heads: ReactNode[];
  /** CSS widths of the columns. */
  widths: string[];
  /** Left out where nothing can be added. */
  footer?: ReactNode;
  children: ReactNode;
}

/** A table whose cells are fields. Where it is narrow, the cells of a row lie below one another, each with its label. */
export function GridTable({ label, heads, widths, footer, children }: GridTableProps) {
  return (
    <div className="border-line-strong @container rounded-md border">
      <table className="text-table w-full table-fixed border-collapse @max-md:block">
        <caption className="sr-only">{label}</caption>
        <thead className="@max-md:sr-only">
          <tr className="bg-sunken">
            {heads.map((head, index) => (
              <th
                key={index}
                style={{ width: widths[index] }}
                className="border-line text-small text-text-3 h-7 border-l px-2.5 text-left font-medium first:border-l-0"
              >
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="@max-md:[&>tr]:border-line @max-md:block @max-md:[&>tr]:grid @max-md:[&>tr]:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_40px] @max-md:[&>tr]:border-b @max-md:[&>tr:last-child]:border-b-0">
          {children}
        </tbody>
      </table>
      {footer && <div className="border-line flex min-h-[34px] items-center gap-0.5 border-t px-1.5">{footer}</div>}
    </div>
  );
}

/** The one row of a table that has none. */
export function GridNone({ columns, children }: { columns: number; children: ReactNode }) {
  return (
    <tr>
      <td colSpan={columns} className="border-line text-text-3 h-[34px] border-t px-2.5">
        {children}
      </td>
    </tr>
  );
}

export function GridCell({
  isWrong,
  label,
  className,
  children,
}: {
  isWrong?: boolean;
  /** The head of its column, shown in the cell where the heads are not. */
  label?: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    <td
      className={clsx(
        'border-line h-[34px] border-t border-l p-0 first:border-l-0 max-lg:h-10 @max-md:h-auto @max-md:border-0',
        label === undefined
          ? '@max-md:col-start-3 @max-md:row-span-3 @max-md:row-start-1 @max-md:pt-1'
          : '@max-md:[&>:not([aria-hidden])]:h-9',
        isWrong && 'bg-bad-soft text-bad-text shadow-[inset_0_0_0_1.5px_var(--color-bad)]',
        className,
      )}
    >
      {label !== undefined && (
        <span aria-hidden="true" className="text-small text-text-3 hidden px-2 pt-1.5 @max-md:block">
          {label}
        </span>
      )}
      {children}
    </td>
  );
}

export function GridInput({ className, ...rest }: ComponentProps<'input'>) {
  return (
    <input
      data-inset=""
      autoComplete="off"
      spellCheck={false}
      className={clsx(
        'placeholder:text-text-3 h-full w-full bg-transparent px-2.5 font-mono placeholder:font-sans @max-md:px-2 @max-md:tracking-tight',
        className,
      )}
      {...rest}
    />
  );
}

/** The same for a text of several lines; masked, it is not read over a shoulder. */
export function GridTextarea({ isMasked, className, ...rest }: ComponentProps<'textarea'> & { isMasked: boolean }) {
  return (
    <textarea
      data-inset=""
      autoComplete="off"
      spellCheck={false}
      className={clsx(
        'block w-full resize-y bg-transparent px-2.5 py-1.5 font-mono @max-md:h-auto! @max-md:px-2 @max-md:tracking-tight',
        isMasked && '[-webkit-text-security:disc]',
        className,
      )}
      {...rest}
    />
  );
}
