import type { ReactNode } from 'react';

export function PageHead({
  title,
  total,
  actions,
}: {
  title: string;
  total?: number | undefined;
  actions?: ReactNode;
}) {
  return (
    <div className="flex min-h-[62px] shrink-0 flex-wrap items-center gap-3 px-6 pt-[18px] pb-3 max-lg:min-h-[60px] max-lg:px-4 max-lg:pt-3.5 max-lg:pb-2.5">
      <h1 className="text-title font-semibold tracking-[-0.018em]">{title}</h1>
      {total !== undefined && total > 0 && <span className="text-text-3 -ml-1 pt-[3px] tabular-nums">{total}</span>}
      {actions && <div className="ml-auto flex items-center gap-2">{actions}</div>}
    </div>
  );
}
