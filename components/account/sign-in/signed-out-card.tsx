'use client';

import { useEffect, useRef, type ReactNode } from 'react';

interface SignedOutCardProps {
  icon?: ReactNode;
  title: string;
  text?: ReactNode;
  /** Takes the place of a form: the focus moves here, so that it is read out. */
  isNews?: boolean;
  children?: ReactNode;
}

/** The one box of a page outside the console. */
export function SignedOutCard({ icon, title, text, isNews, children }: SignedOutCardProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isNews) heading.current?.focus();
  }, [isNews]);
  return (
    <div className="border-line-strong bg-surface shadow-control my-6 w-[380px] max-w-full rounded-lg border p-7">
      {icon && <div className="mb-3 [&_svg]:size-6">{icon}</div>}
      <h1
        ref={heading}
        tabIndex={isNews ? -1 : undefined}
        className="text-title font-semibold tracking-[-0.018em] outline-none focus-visible:shadow-none!"
      >
        {title}
      </h1>
      {text && <div className="text-text-2 mt-0.5 break-words">{text}</div>}
      {children}
    </div>
  );
}
