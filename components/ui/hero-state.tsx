import clsx from 'clsx';
import type { ReactNode } from 'react';

interface HeroStateProps {
  drawing?: ReactNode;
  code?: string;
  title: string;
  text: ReactNode;
  actions?: ReactNode;
  isPageTitle?: boolean;
  /** Room for something wide below. */
  isWide?: boolean;
  children?: ReactNode;
}

/** The middle of an otherwise empty page: what this is and what to do next. */
export function HeroState({ drawing, code, title, text, actions, isPageTitle, isWide, children }: HeroStateProps) {
  const Heading = isPageTitle ? 'h1' : 'h2';
  return (
    <div
      className={clsx(
        'mx-auto grid w-full grid-cols-[minmax(0,1fr)] justify-items-center px-4 text-center',
        isWide ? 'max-w-[752px] py-8' : 'max-w-[560px] py-14',
      )}
    >
      {drawing && <div className="mb-6">{drawing}</div>}
      {code && <span className="text-table text-text-3 mb-1 font-mono">{code}</span>}
      <Heading className="text-title font-semibold tracking-[-0.018em]">{title}</Heading>
      <p className="text-text-2 mt-1 max-w-[440px] text-balance">{text}</p>
      {actions && <div className="mt-5 flex flex-wrap justify-center gap-2">{actions}</div>}
      {children}
    </div>
  );
}
