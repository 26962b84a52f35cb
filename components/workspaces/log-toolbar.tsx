'use client';

import clsx from 'clsx';
import { ChevronDown, ChevronUp, Search } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useId } from 'react';
import { IconButton } from '@/components/ui/button';
import { AffixInput } from '@/components/ui/input';
import type { LogLevel } from '@/components/ui/log/log-line';
import type { LogQuery, LogView } from '@/components/ui/log/log-store';
import { Segmented } from '@/components/ui/segmented';
import { Select } from '@/components/ui/select';
import { Switch } from '@/components/ui/switch';
import { LOG_SPANS, type LogSpan } from './log-span';

interface LogToolbarProps {
  query: LogQuery;
  onQuery: (query: LogQuery) => void;
  view: LogView;
  hit: number | undefined;
  onStep: (by: number) => void;
  span: LogSpan;
  onSpan: (span: LogSpan) => void;
  isWrapped: boolean;
  onWrap: (isWrapped: boolean) => void;
  hasTime: boolean;
  onTime: (hasTime: boolean) => void;
}

const LEVELS = ['error', 'warn', 'info', 'debug'] as const;
const dots: Record<LogLevel, string> = { error: 'bg-bad', warn: 'bg-warn', info: '', debug: '' };
const TOGGLES = [
  { key: 'isCaseSensitive', sign: 'Aa' },
  { key: 'isRegex', sign: '.*' },
  { key: 'isInverted', sign: '!' },
] as const;

/** Search, levels, span and look of the log. */
export function LogToolbar(props: LogToolbarProps) {
  const { query, onQuery, view, hit, onStep, span, onSpan, isWrapped, onWrap, hasTime, onTime } = props;
  const t = useTranslations('pages.workspaces.logs');
  return (
    <div className="border-line flex min-h-[49px] shrink-0 flex-wrap items-center gap-2 border-b px-6 py-2 max-lg:px-4">
      <LogSearch query={query} onQuery={onQuery} view={view} hit={hit} onStep={onStep} />
      <IconButton size="sm" label={t('previousHit')} disabled={view.hits.length === 0} onClick={() => onStep(-1)}>
        <ChevronUp className="size-4" />
      </IconButton>
      <IconButton size="sm" label={t('nextHit')} disabled={view.hits.length === 0} onClick={() => onStep(1)}>
        <ChevronDown className="size-4" />
      </IconButton>
      <span aria-hidden="true" className="bg-line-strong mx-0.5 h-5 w-px max-lg:hidden" />
      <div className="max-w-full scrollbar-none overflow-x-auto">
        <Segmented
          label={t('levels.label')}
          value={query.level}
          onValueChange={(level) => onQuery({ ...query, level })}
          options={[
            { value: 'all', label: t('levels.all') },
            ...LEVELS.map((level) => ({
              value: level,
              label: (
                <>
                  {dots[level] && <span aria-hidden="true" className={clsx('size-1.5', dots[level])} />}
                  {t(`levels.${level}`)}
                  {view.counts[level] > 0 && (
                    <span className="text-text-3 font-normal tabular-nums">
                      {view.counts[level].toLocaleString('en', { notation: 'compact' })}
                    </span>
                  )}
                </>
              ),
            })),
          ]}
        />
      </div>
      <Select
        size="sm"
        className="w-32"
        aria-label={t('span')}
        value={span}
        onValueChange={(value) => onSpan(LOG_SPANS.find((each) => each === value) ?? 'all')}
        options={LOG_SPANS.map((each) => ({ value: each, label: t(`spans.${each}`) }))}
      />
      <div className="text-small text-text-2 ml-auto flex items-center gap-4">
        <Toggle label={t('wrap')} checked={isWrapped} onChange={onWrap} />
        <Toggle label={t('time')} checked={hasTime} onChange={onTime} />
      </div>
    </div>
  );
}

function LogSearch({
  query,
  onQuery,
  view,
  hit,
  onStep,
}: Pick<LogToolbarProps, 'query' | 'onQuery' | 'view' | 'hit' | 'onStep'>) {
  const t = useTranslations('pages.workspaces.logs');
  return (
    <AffixInput
      isMono
      frameClassName="w-[320px] max-lg:w-full pr-1!"
      data-key-search=""
      aria-label={t('search')}
      aria-invalid={view.isPatternWrong || undefined}
      placeholder={t('search')}
      spellCheck={false}
      value={query.pattern}
      onChange={(event) => onQuery({ ...query, pattern: event.target.value })}
      onKeyDown={(event) => {
        if (event.key === 'Enter') onStep(event.shiftKey ? -1 : 1);
        if (event.key === 'Escape') onQuery({ ...query, pattern: '' });
      }}
      before={<Search className="text-text-3 size-4" aria-hidden="true" />}
      after={
        <>
          <span role="status" className="text-small text-text-3 shrink-0 tabular-nums">
            {view.isPatternWrong
              ? t('wrongPattern')
              : query.pattern && t('hits', { current: hit === undefined ? 0 : hit + 1, count: view.hits.length })}
          </span>
          {TOGGLES.map(({ key, sign }) => (
            <button
              key={key}
              type="button"
              aria-pressed={query[key]}
              aria-label={t(key)}
              title={t(key)}
              onClick={() => onQuery({ ...query, [key]: !query[key] })}
              className="text-small text-text-3 aria-pressed:bg-accent-soft aria-pressed:text-accent-text aria-pressed:ring-accent-line grid h-5 w-[22px] shrink-0 place-items-center rounded-sm font-mono font-medium focus-visible:shadow-(--focus-ring)! aria-pressed:ring-1 aria-pressed:ring-inset"
            >
              {sign}
            </button>
          ))}
        </>
      }
    />
  );
}

function Toggle({
  label,
  checked,
  onChange,
}: {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}) {
  const id = useId();
  return (
    <span className="flex items-center gap-2">
      <Switch id={id} checked={checked} onCheckedChange={onChange} />
      <label htmlFor={id}>{label}</label>
    </span>
  );
}
