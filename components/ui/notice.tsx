import clsx from 'clsx';
import type { ReactNode } from 'react';

const tones = {
  accent: 'border-accent-line bg-accent-soft [&>svg]:text-accent-text',
  busy: 'border-busy-line bg-busy-soft [&>svg]:text-busy-text',
  warn: 'border-warn-line bg-warn-soft [&>svg]:text-warn-text',
  bad: 'border-bad-line bg-bad-soft [&>svg]:text-bad-text',
};

interface NoticeProps {
  tone: keyof typeof tones;
  icon: ReactNode;
  actions?: ReactNode;
  className?: string;
  children: ReactNode;
}

/** One line that needs to be known before going on. */
export function Notice({ tone, icon, actions, className, children }: NoticeProps) {
  return (
    <div
      className={clsx(
        'text-table flex min-h-[42px] items-center gap-2.5 rounded-md border py-1.5 pr-2 pl-3 max-lg:flex-wrap [&>svg]:size-4',
        tones[tone],
        className,
      )}
    >
      {icon}
      <div className="min-w-0 flex-1">{children}</div>
      {actions && <div className="ml-auto flex shrink-0 items-center gap-2">{actions}</div>}
    </div>
  );
}

/** More words for those who want them: the engine's own, as a rule. */
export function Fold({ summary, children, isOpen }: { summary: ReactNode; children: ReactNode; isOpen?: boolean }) {
  return (
    <details open={isOpen} className="text-table">
      <summary className="text-small text-text-2 inline-flex items-center gap-1 rounded-sm font-medium max-lg:min-h-9">
        {summary}
      </summary>
      <pre className="border-line bg-sunken text-small mt-1.5 max-h-60 overflow-auto rounded-md border px-3 py-2 font-mono whitespace-pre-wrap">
        {children}
      </pre>
    </details>
  );
}
