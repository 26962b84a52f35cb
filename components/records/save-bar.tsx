'use client';

import clsx from 'clsx';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { useIsFilling } from '@/components/data/records';
import { Glyph } from '@/components/ui/glyph';
import { useIsHydrated } from '@/components/ui/use-is-hydrated';
import { firstShown, useProblemText, type FormProblem } from './form-problems';

interface SaveBarProps {
  problems: FormProblem[];
  /** The words of a field, by its path. */
  labelOf: (path: string) => string;
  /** Sentences of the server that belong to no field. */
  messages?: string[];
  note?: ReactNode;
  actions: ReactNode;
}

/** The sticky end of a form: what is wrong, with links to the fields, and the buttons. */
export function SaveBar({ problems, labelOf, messages = [], note, actions }: SaveBarProps) {
  const t = useTranslations('common.form');
  const text = useProblemText();
  const isHydrated = useIsHydrated();
  const isFilling = useIsFilling();
  const isWrong = problems.length > 0 || messages.length > 0;
  return (
    <div className="border-line-strong bg-surface text-table z-20 flex min-h-14 shrink-0 flex-wrap items-center gap-3 border-t px-6 py-2 max-lg:px-4">
      <div className={clsx('flex min-w-0 flex-1 items-center gap-2', isWrong && 'max-sm:basis-full')} role="status">
        {isWrong && <Glyph kind="bad" />}
        {problems.length > 0 && (
          <span className="min-w-0 truncate max-sm:whitespace-normal">
            <span className="font-medium">{t('attention', { count: problems.length })}</span>{' '}
            {problems.slice(0, 3).map((problem, index) => (
              <span key={problem.path}>
                {index > 0 && ', '}
                <button
                  type="button"
                  className="text-accent-text rounded-sm hover:underline"
                  title={text(problem.message)}
                  onClick={() => focusField(problem.path)}
                >
                  {labelOf(problem.path)}
                </button>
              </span>
            ))}
          </span>
        )}
        {problems.length === 0 && messages.length > 0 && <span className="text-bad-text">{messages.join(' ')}</span>}
        {!isWrong && note && <span className="text-text-2 truncate">{note}</span>}
      </div>
      <fieldset disabled={!isHydrated || isFilling} aria-busy={isFilling} className="ml-auto flex items-center gap-2">
        {actions}
      </fieldset>
    </div>
  );
}

/** Moves to the control of a path, or to the nearest one above it. */
function focusField(path: string): void {
  const parts = path.split('.');
  while (parts.length > 0) {
    const name = CSS.escape(parts.join('.'));
    const control = firstShown(`[name="${name}"], [data-path="${name}"]`);
    if (control) {
      control.scrollIntoView({ block: 'center' });
      control.focus();
      return;
    }
    parts.pop();
  }
}
