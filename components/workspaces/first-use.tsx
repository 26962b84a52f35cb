'use client';

import { X } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useEffect } from 'react';
import { setPreferences, usePreferences } from '@/components/data/preferences';
import { IconButton } from '@/components/ui/button';
import { Glyph } from '@/components/ui/glyph';
import { useFirstUseSteps, type FirstUseStep } from './use-first-use-steps';

/** The way to a first workspace in four steps, above the list until it is walked or put away. */
export function FirstUse() {
  const preferences = usePreferences();
  if (!preferences || preferences.isFirstUseOver) return null;
  return <Checklist hasOpened={preferences.hasOpenedWorkspace} />;
}

function Checklist({ hasOpened }: { hasOpened: boolean }) {
  const t = useTranslations('pages.workspaces.firstUse');
  const steps = useFirstUseSteps(hasOpened);
  const done = steps?.filter((step) => step.isDone).length ?? 0;
  const isOver = steps !== undefined && done === steps.length;
  useEffect(() => {
    if (isOver) setPreferences({ isFirstUseOver: true });
  }, [isOver]);
  if (!steps || isOver) return null;
  const nextKey = steps.find((step) => !step.isDone)?.key;
  return (
    <section
      aria-labelledby="first-use"
      className="rounded-card border-line-strong mx-6 mb-3 shrink-0 overflow-hidden border max-lg:mx-4"
    >
      <div className="text-table border-line flex h-10 items-center gap-2 border-b pr-1.5 pl-3.5">
        <h2 id="first-use" className="font-semibold">
          {t('title')}
        </h2>
        <span className="text-small text-text-3 tabular-nums">{t('progress', { done, total: steps.length })}</span>
        <IconButton
          size="sm"
          label={t('dismiss')}
          className="ml-auto"
          onClick={() => setPreferences({ isFirstUseOver: true })}
        >
          <X className="size-4" />
        </IconButton>
      </div>
      <ol className="lg:divide-line grid grid-cols-4 max-lg:grid-cols-1 max-lg:py-1.5 lg:divide-x">
        {steps.map((step) => (
          <Step key={step.key} step={step} isNext={step.key === nextKey} />
        ))}
      </ol>
    </section>
  );
}

function Step({ step, isNext }: { step: FirstUseStep; isNext: boolean }) {
  const t = useTranslations('pages.workspaces.firstUse');
  return (
    <li
      aria-current={isNext ? 'step' : undefined}
      className="text-table grid grid-cols-[14px_minmax(0,1fr)] gap-x-[9px] px-3.5 py-3 max-lg:py-1.5"
    >
      <Glyph kind={step.isDone ? 'done' : step.isBusy ? 'busy' : isNext ? 'waiting' : 'off'} className="mt-[3px]" />
      <div className="min-w-0">
        <h3 className={isNext ? 'font-medium' : 'text-text-2 font-medium'}>
          {t(`${step.key}.title`)}
          <span className="sr-only">, {step.isDone ? t('done') : t('open')}</span>
        </h3>
        <p className={isNext || step.isDone ? 'text-small text-text-3' : 'text-small text-text-3 max-lg:hidden'}>
          {step.text}
        </p>
        {step.links && <p className="mt-1 flex flex-wrap gap-x-3 gap-y-1 empty:hidden">{step.links}</p>}
      </div>
    </li>
  );
}
