import clsx from 'clsx';
import type { ReactNode } from 'react';

const tagTones = {
  plain: 'bg-sunken text-text-2 ring-1 ring-inset ring-line',
  accent: 'bg-accent-soft text-accent-text',
  ok: 'bg-ok-soft text-ok-text',
  busy: 'bg-busy-soft text-busy-text',
  warn: 'bg-warn-soft text-warn-text',
  bad: 'bg-bad-soft text-bad-text',
};
export type TagTone = keyof typeof tagTones;

export function Tag({ tone = 'plain', children }: { tone?: TagTone; children: ReactNode }) {
  return (
    <span
      className={clsx(
        'text-small inline-flex h-5 shrink-0 items-center gap-[5px] rounded-sm px-1.5 leading-none whitespace-nowrap tabular-nums',
        tagTones[tone],
      )}
    >
      {children}
    </span>
  );
}

export function Kbd({ children, isOnAccent }: { children: ReactNode; isOnAccent?: boolean }) {
  return (
    <kbd
      aria-hidden="true"
      className={clsx(
        'text-micro inline-flex h-[18px] min-w-[18px] items-center justify-center rounded-sm border px-[5px] font-sans leading-none font-medium max-lg:hidden',
        isOnAccent ? 'border-on-accent/35 -mr-1' : 'border-line-strong bg-surface text-text-3',
      )}
    >
      {children}
    </kbd>
  );
}

export function Card({
  title,
  note,
  actions,
  className,
  children,
}: {
  title: ReactNode;
  note?: ReactNode;
  actions?: ReactNode;
  className?: string;
  children: ReactNode;
}) {
  return (
    <section className={clsx('rounded-card border-line-strong bg-surface min-w-0 overflow-hidden border', className)}>
      <div className="text-table flex h-10 items-center gap-2 pr-2 pl-3.5">
        <h2 className="font-semibold whitespace-nowrap">{title}</h2>
        {note && <span className="text-small text-text-3 flex min-w-0 items-center gap-2 truncate">{note}</span>}
        {actions && <div className="ml-auto flex items-center gap-1">{actions}</div>}
      </div>
      {children}
    </section>
  );
}

/** Names and values, one a line. */
export function Facts({ items }: { items: { name: string; value: ReactNode }[] }) {
  return (
    <dl className="text-table grid grid-cols-[minmax(92px,max-content)_minmax(0,1fr)] gap-x-3 gap-y-2 px-3.5 pt-0.5 pb-3">
      {items.map((item) => (
        <div key={item.name} className="contents">
          <dt className="text-text-3">{item.name}</dt>
          <dd className="min-w-0 truncate">{item.value}</dd>
        </div>
      ))}
    </dl>
  );
}

export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden="true" className={clsx('bg-active block h-2.5 rounded-sm', className)} />;
}

export function InitialsAvatar({
  initials,
  size = 'sm',
  isOwn,
  imageUrl,
}: {
  initials: string;
  size?: 'sm' | 'md' | 'lg' | 'xl';
  isOwn?: boolean;
  imageUrl?: string;
}) {
  const sizes = { sm: 'size-5 text-[9px]', md: 'size-7 text-micro', lg: 'size-8 text-small', xl: 'size-11 text-lead' };
  return (
    <span
      aria-hidden="true"
      className={clsx(
        'inline-grid shrink-0 place-items-center overflow-hidden rounded-full font-semibold',
        sizes[size],
        isOwn ? 'bg-accent-soft text-accent-text' : 'bg-active text-text-2',
      )}
    >
      {imageUrl ? <img src={imageUrl} alt="" width={32} height={32} className="size-full object-cover" /> : initials}
    </span>
  );
}

/** The square before a name: initials until there is an icon. */
export function IconTile({ size = 'sm', children }: { size?: 'sm' | 'lg'; children: ReactNode }) {
  return (
    <span
      aria-hidden="true"
      className={clsx(
        'bg-surface text-text-2 dark:bg-sunken grid shrink-0 place-items-center overflow-hidden border font-semibold',
        size === 'sm'
          ? 'border-line size-6 rounded-[6px] text-[10.5px] [&_svg]:size-[15px]'
          : 'rounded-card border-line-strong text-lead size-11 [&_svg]:size-[22px]',
      )}
    >
      {children}
    </span>
  );
}

export function Meter({ share, className }: { share: number; className?: string }) {
  const percent = Math.round(Math.min(1, Math.max(0, share)) * 100);
  return (
    <span aria-hidden="true" className={clsx('bg-active block h-1 overflow-hidden rounded-[2px]', className)}>
      <span
        className={clsx('block h-full rounded-[2px]', percent >= 85 ? 'bg-busy' : 'bg-accent')}
        style={{ width: `${percent}%` }}
      />
    </span>
  );
}
