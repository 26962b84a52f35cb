'use client';

import clsx from 'clsx';
import { useSearchParams } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useEffect } from 'react';
import { setPreferences, usePreferences } from '@/components/data/preferences';
import { Button } from '@/components/ui/button';
import { Glyph } from '@/components/ui/glyph';
import { useModKey } from '@/components/ui/mod-kbd';
import { Kbd } from '@/components/ui/parts';
import { useFirstUseSteps, type FirstUseStep, type FirstUseSteps } from './use-first-use-steps';

/** What narrows the list: whoever looks for something is not led anywhere else. */
const NARROWING = ['search', 'host', 'status', 'owner', 'enabled'];

/** The way to a first workspace, until it is walked or put away; undefined where it is not shown. */
export function useFirstUse(): FirstUseSteps | undefined {
  const preferences = usePreferences();
  const params = useSearchParams();
  const isNarrowed = NARROWING.some((name) => params.has(name));
  const isOn = preferences?.isFirstUseOver === false && !isNarrowed;
  const state = useFirstUseSteps(preferences?.hasOpenedWorkspace === true, isOn);
  const isDone = state?.steps.every((step) => step.isDone) === true;
  useEffect(() => {
    if (isDone) setPreferences({ isFirstUseOver: true });
  }, [isDone]);
  return isOn && !isDone ? state : undefined;
}

/** Above a list that has rows already. */
export function FirstUse({ state }: { state: FirstUseSteps | undefined }) {
  if (!state?.hasWorkspaces) return null;
  return (
    <div className="mx-6 mb-3 shrink-0 max-lg:mx-4">
      <Checklist steps={state.steps} />
    </div>
  );
}

/** In the middle of a list that has no row yet. */
export function FirstUseHero({ steps }: { steps: FirstUseStep[] }) {
  const t = useTranslations('pages.workspaces.firstUse');
  const mod = useModKey();
  return (
    <div className="mt-7 w-full text-left">
      <Checklist steps={steps} />
      <p className="text-small text-text-3 mt-4 text-center max-lg:hidden">
        {t.rich('palette', { key: () => <Kbd>{mod === '⌘' ? '⌘K' : 'Ctrl K'}</Kbd> })}
      </p>
    </div>
  );
}

function Checklist({ steps }: { steps: FirstUseStep[] }) {
  const t = useTranslations('pages.workspaces.firstUse');
  const done = steps.filter((step) => step.isDone).length;
  const nextKey = steps.find((step) => !step.isDone)?.key;
  return (
    <section
      aria-labelledby="first-use"
      className="rounded-card border-line-strong text-table overflow-hidden border text-left"
    >
      <div className="border-line flex min-h-11 items-center gap-2 border-b pr-1.5 pl-3.5">
        <h2 id="first-use" className="font-semibold">
          {t('title')}
        </h2>
        <span className="text-small text-text-3 tabular-nums">{t('progress', { done, total: steps.length })}</span>
        <span aria-hidden="true" className="bg-active h-1 w-20 overflow-hidden rounded-full">
          <span className="bg-accent block h-full" style={{ width: `${(done / steps.length) * 100}%` }} />
        </span>
        <Button
          variant="ghost"
          size="sm"
          aria-label={t('dismiss')}
          className="ml-auto"
          onClick={() => setPreferences({ isFirstUseOver: true })}
        >
          {t('hide')}
        </Button>
      </div>
      <ol className="divide-line divide-y">
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
      className={clsx(
        'flex min-h-[58px] flex-wrap items-center gap-x-3 gap-y-2 px-3.5 py-2',
        isNext && 'bg-accent-soft',
      )}
    >
      <Glyph kind={step.isDone ? 'done' : step.isBusy ? 'busy' : isNext ? 'waiting' : 'off'} />
      <div className="min-w-0 flex-1 basis-52">
        <h3 className={step.isDone ? 'text-text-2 font-medium' : 'font-medium'}>
          {t(`${step.key}.title`)}
          <span className="sr-only">, {step.isDone ? t('done') : t('open')}</span>
        </h3>
        <p className="text-small text-text-2">{step.text}</p>
      </div>
      {step.actions && (
        <div className="flex flex-wrap items-center gap-2 empty:hidden max-sm:w-full max-sm:pl-[26px]">
          {step.actions}
        </div>
      )}
    </li>
  );
}
