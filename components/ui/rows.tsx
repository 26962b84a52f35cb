import type { ReactNode } from 'react';

/** Lines about things that secure an account, in one frame. */
export function Rows({ label, children }: { label?: string; children: ReactNode }) {
  return (
    <ul aria-label={label} className="border-line-strong divide-line divide-y rounded-md border">
      {children}
    </ul>
  );
}

interface RowProps {
  icon: ReactNode;
  name: ReactNode;
  /** After the name: tags. */
  marks?: ReactNode;
  detail?: ReactNode;
  actions?: ReactNode;
}

/** An icon, a name with a line below it, and what can be done with it. */
export function Row({ icon, name, marks, detail, actions }: RowProps) {
  return (
    <li className="text-table flex min-h-14 flex-wrap items-center gap-x-3 gap-y-2 py-2 pr-2.5 pl-3.5">
      <span aria-hidden="true" className="[&_svg]:text-text-3 shrink-0 [&_svg]:size-[18px]">
        {icon}
      </span>
      <span className="min-w-0 flex-1 basis-52">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="min-w-0 font-medium break-words">{name}</span>
          {marks}
        </span>
        {detail && (
          <span className="text-small text-text-3 flex flex-wrap gap-x-1.5 [&>*:not(:last-child)]:after:ml-1.5 [&>*:not(:last-child)]:after:content-['·']">
            {detail}
          </span>
        )}
      </span>
      {actions && <span className="flex flex-wrap items-center gap-1.5">{actions}</span>}
    </li>
  );
}

/** Where rows would be, when there are none. */
export function NoRows({ children }: { children: ReactNode }) {
  return (
    <p className="border-line-strong text-table text-text-2 rounded-md border border-dashed px-4 py-6 text-center text-balance">
      {children}
    </p>
  );
}
