'use client';

import clsx from 'clsx';
import { useTranslations } from 'next-intl';
import { Glyph, type GlyphKind } from '@/components/ui/glyph';
import type { BuildStage, BuildStep, StepState } from './build-steps';

const glyphs: Record<StepState, GlyphKind> = {
  running: 'busy',
  done: 'done',
  cached: 'stale',
  failed: 'bad',
  stopped: 'off',
};

interface BuildStepTreeProps {
  stages: readonly BuildStage[];
  /** The step whose lines alone are shown. */
  picked: number | undefined;
  onPick: (number: number | undefined) => void;
}

/** The steps of a build by stage, each with how it went and how long it took. */
export function BuildStepTree({ stages, picked, onPick }: BuildStepTreeProps) {
  const t = useTranslations('pages.images.steps');
  return (
    <nav
      aria-label={t('label')}
      className="border-line bg-sunken min-h-0 shrink-0 overflow-auto py-1.5 max-lg:max-h-44 max-lg:border-b lg:w-[290px] lg:border-r"
    >
      {stages.map(({ name, steps }) => (
        <section key={name} aria-label={name === '' ? t('noStage') : t('stage', { name })}>
          {name !== '' && <h4 className="text-small text-text-2 px-3 pt-1.5 pb-0.5 font-medium">{name}</h4>}
          <ul>
            {steps.map((step) => (
              <li key={step.number}>
                <StepButton
                  step={step}
                  isPicked={picked === step.number}
                  onClick={() => onPick(picked === step.number ? undefined : step.number)}
                />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}

/** Without the options of the instruction, which hide what it does. */
function shortOf(name: string): string {
  return name.replace(/^(RUN|COPY|ADD)((?: --\S+)+)(?= )/, '$1');
}

function StepButton({ step, isPicked, onClick }: { step: BuildStep; isPicked: boolean; onClick: () => void }) {
  const t = useTranslations('pages.images.steps');
  const { place, name, state, seconds } = step;
  return (
    <button
      type="button"
      aria-pressed={isPicked}
      title={name}
      onClick={onClick}
      className={clsx(
        'text-small flex w-full items-center gap-2 px-3 py-1 text-left max-lg:min-h-9',
        isPicked ? 'bg-active' : 'hover:bg-hover',
      )}
    >
      <Glyph kind={glyphs[state]} className="shrink-0" />
      {place !== '' && <span className="text-text-2 shrink-0 tabular-nums">{place}</span>}
      <span className="mono min-w-0 flex-1 truncate">{shortOf(name)}</span>
      <span className="text-text-2 shrink-0 tabular-nums">
        {seconds === undefined ? t(`states.${state}`) : t('seconds', { seconds })}
      </span>
    </button>
  );
}
