'use client';

import clsx from 'clsx';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Glyph } from '@/components/ui/glyph';

export interface FormSectionItem {
  id: string;
  label: string;
  isWrong?: boolean;
}

interface FormLayoutProps {
  sections: FormSectionItem[];
  indexLabel: string;
  aside?: ReactNode;
  bar: ReactNode;
  /** The name of what scrolls, where nothing in it takes the focus. */
  scrollLabel?: string | undefined;
  onSubmit: () => void;
  /** Of something that is made now: its first field is where one begins. */
  isNew?: boolean;
  children: ReactNode;
}

/** Section index at the left, fields in the middle, checks at the right, the save bar below. */
export function FormLayout({
  sections,
  indexLabel,
  aside,
  bar,
  scrollLabel,
  onSubmit,
  isNew = false,
  children,
}: FormLayoutProps) {
  const area = useRef<HTMLDivElement>(null);
  const current = useCurrentSection(area, sections);
  useEffect(() => {
    // Where there is no keyboard, one would cover half of the screen.
    if (isNew && window.matchMedia('(hover: hover)').matches) firstField(area.current)?.focus({ preventScroll: true });
  }, [isNew]);
  return (
    <form
      method="post"
      noValidate
      className="flex min-h-0 flex-1 flex-col"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <div
        ref={area}
        {...(scrollLabel && { role: 'region', 'aria-label': scrollLabel, tabIndex: 0, 'data-inset': '' })}
        className="relative min-h-0 flex-1 scroll-pt-8 scroll-pb-16 overflow-auto"
      >
        <div className="grid grid-cols-[168px_minmax(0,660px)_minmax(220px,1fr)] items-start gap-7 px-6 pt-2 pb-16 max-xl:grid-cols-[148px_minmax(0,1fr)] max-lg:grid-cols-1 max-lg:px-4">
          <nav aria-label={indexLabel} className="text-table sticky top-2 max-lg:hidden">
            {sections.map((section) => (
              <a
                key={section.id}
                href={`#${section.id}`}
                aria-current={current === section.id ? 'true' : undefined}
                className="border-line text-text-2 hover:text-text aria-current:border-accent aria-current:text-text flex h-7 items-center gap-2 border-l-[1.5px] px-2.5 aria-current:font-medium"
              >
                {section.label}
                {section.isWrong && <Glyph kind="bad" className="ml-auto !size-3" />}
              </a>
            ))}
          </nav>
          <div className="min-w-0">{children}</div>
          {aside && <aside className="sticky top-2 min-w-0 max-xl:hidden">{aside}</aside>}
        </div>
      </div>
      {bar}
    </form>
  );
}

function firstField(area: HTMLElement | null): HTMLElement | undefined {
  const fields = area?.querySelectorAll<HTMLElement>('input:not([type="file"], [type="hidden"]), textarea') ?? [];
  return [...fields].find((field) => field.checkVisibility());
}

export function FormSection({
  id,
  title,
  text,
  aside,
  isLast,
  children,
}: {
  id: string;
  title: string;
  text?: string;
  /** Beside the title, at its right. */
  aside?: ReactNode;
  isLast?: boolean;
  children: ReactNode;
}) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className={clsx('scroll-mt-3', !isLast && 'border-line mb-[22px] border-b pb-6')}
    >
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id={`${id}-title`} className="font-semibold">
          {title}
        </h2>
        {aside}
      </div>
      {text && <p className="text-table text-text-3 mt-0.5">{text}</p>}
      <div className="mt-3 grid grid-cols-[minmax(0,1fr)] gap-3.5">{children}</div>
    </section>
  );
}

function useCurrentSection(
  area: React.RefObject<HTMLDivElement | null>,
  sections: FormSectionItem[],
): string | undefined {
  const [current, setCurrent] = useState(sections[0]?.id);
  const ids = sections.map((section) => section.id).join(' ');
  useEffect(() => {
    const scroller = area.current;
    if (!scroller) return;
    const find = () => {
      const top = scroller.getBoundingClientRect().top + 80;
      const passed = ids
        .split(' ')
        .filter((id) => (document.getElementById(id)?.getBoundingClientRect().top ?? Infinity) < top);
      const isAtEnd =
        scroller.scrollHeight > scroller.clientHeight &&
        scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 2;
      setCurrent(isAtEnd ? ids.split(' ').at(-1) : (passed.at(-1) ?? ids.split(' ')[0]));
    };
    scroller.addEventListener('scroll', find, { passive: true });
    return () => scroller.removeEventListener('scroll', find);
  }, [area, ids]);
  return current;
}
