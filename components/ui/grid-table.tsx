import clsx from 'clsx';
import type { ComponentProps, ReactNode } from 'react';

interface GridTableProps {
  label: string;
  heads: ReactNode[];
  /** CSS widths of the columns. */
  widths: string[];
  footer: ReactNode;
  children: ReactNode;
}

/** A table whose cells are fields. */
export function GridTable({ label, heads, widths, footer, children }: GridTableProps) {
  return (
    <div className="border-line-strong overflow-x-auto rounded-md border">
      <table className="text-table w-full min-w-[300px] table-fixed border-collapse">
        <caption className="sr-only">{label}</caption>
        <thead>
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
        <tbody>{children}</tbody>
      </table>
      <div className="border-line flex min-h-[34px] items-center gap-0.5 border-t px-1.5">{footer}</div>
    </div>
  );
}

export function GridCell({
  isWrong,
  className,
  children,
}: {
  isWrong?: boolean;
  className?: string;
  children: ReactNode;
}) {
  return (
    <td
      className={clsx(
        'border-line h-[34px] border-t border-l p-0 first:border-l-0 max-lg:h-10',
        isWrong && 'bg-bad-soft text-bad-text shadow-[inset_0_0_0_1.5px_var(--color-bad)]',
        className,
      )}
    >
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
        'placeholder:text-text-3 h-full w-full bg-transparent px-2.5 font-mono placeholder:font-sans',
        className,
      )}
      {...rest}
    />
  );
}
