'use client';

import clsx from 'clsx';
import { ChevronDown, ChevronUp, Search } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useId, type ReactNode } from 'react';
import { IconButton } from '@/components/ui/button';
import { AffixInput } from '@/components/ui/input';
import { LOG_LEVELS, type LogLevel } from '@/components/ui/log/log-line';
import type { LogView } from '@/components/ui/log/log-store';
import { Switch } from '@/components/ui/switch';
import type { LogSearchState } from './use-log-search';

interface LogToolbarProps {
  search: LogSearchState;
  view: LogView;
  /** Whether the counts of levels are of all lines. */
  isWhole: boolean;
  /** Words on a search that goes on elsewhere. */
  note?: ReactNode;
  /** More to choose, behind the levels. */
  children?: ReactNode;
}

const dots: Record<LogLevel, string> = { error: 'bg-bad', warn: 'bg-warn', info: '', debug: '' };
const TOGGLES = [
  { key: 'isCaseSensitive', sign: 'Aa' },
  { key: 'isRegex', sign: '.*' },
  { key: 'isInverted', sign: '!' },
] as const;

/** Search and levels of a log. */
export function LogToolbar({ search, view, isWhole, note, children }: LogToolbarProps) {
  const t = useTranslations('common.log');
  const { query, onQuery, onStep } = search;
  const hasHits = view.hits.length > 0;
  return (
    <div className="border-line flex min-h-[49px] shrink-0 flex-wrap items-center gap-2 border-b px-6 py-2 max-lg:px-4">
      <LogSearch search={search} view={view} note={note} />
      <IconButton size="sm" label={t('previousHit')} disabled={!hasHits} onClick={() => onStep(-1)}>
        <ChevronUp className="size-4" />
      </IconButton>
      <IconButton size="sm" label={t('nextHit')} disabled={!hasHits} onClick={() => onStep(1)}>
        <ChevronDown className="size-4" />
      </IconButton>
      <LogSwitch
        label={t('isFiltering')}
        checked={query.isFiltering || query.isInverted}
        disabled={query.isInverted}
        onChange={(isFiltering) => onQuery({ ...query, isFiltering })}
      />
      <span aria-hidden="true" className="bg-line-strong mx-0.5 h-5 w-px max-lg:hidden" />
      <Levels query={query} onQuery={onQuery} view={view} isWhole={isWhole} />
      {children}
    </div>
  );
}

type LevelsProps = Pick<LogSearchState, 'query' | 'onQuery'> & Pick<LogToolbarProps, 'view' | 'isWhole'>;

/** Any of the levels, or all. */
function Levels({ query, onQuery, view, isWhole }: LevelsProps) {
  const t = useTranslations('common.log.levels');
  const { levels } = query;
  const look =
    'text-small text-text-2 inline-flex h-6 items-center gap-1.5 rounded-[6px] px-[9px] font-medium whitespace-nowrap aria-pressed:bg-surface aria-pressed:text-text aria-pressed:ring-line-strong dark:aria-pressed:bg-active aria-pressed:ring-1 focus-visible:shadow-(--focus-ring)! max-lg:h-8';
  function toggle(level: LogLevel) {
    onQuery({ ...query, levels: LOG_LEVELS.filter((each) => (each === level) !== levels.includes(each)) });
  }
  return (
    <div className="max-w-full scrollbar-none overflow-x-auto">
      <div
        role="group"
        aria-label={t('label')}
        className="border-line bg-sunken inline-flex gap-px rounded-md border p-0.5"
      >
        <button
          type="button"
          aria-pressed={levels.length === 0}
          onClick={() => onQuery({ ...query, levels: [] })}
          className={look}
        >
          {t('all')}
        </button>
        {LOG_LEVELS.map((level) => (
          <button
            key={level}
            type="button"
            aria-pressed={levels.includes(level)}
            onClick={() => toggle(level)}
            className={look}
          >
            {dots[level] && <span aria-hidden="true" className={clsx('size-1.5', dots[level])} />}
            {t(level)}
            {view.counts[level] > 0 && (
              <span className="text-text-3 font-normal tabular-nums">
                {view.counts[level].toLocaleString('en', { notation: 'compact' })}
                {!isWhole && '+'}
              </span>
            )}
          </button>
        ))}
      </div>
    </div>
  );
}

function LogSearch({ search, view, note }: Pick<LogToolbarProps, 'search' | 'view' | 'note'>) {
  const t = useTranslations('common.log');
  const { query, onQuery, onStep, current } = search;
  const at = current === undefined ? -1 : view.hits.indexOf(current);
  return (
    <AffixInput
      isMono
      frameClassName="w-[272px] max-lg:w-full pr-1!"
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
              : query.pattern && (note ?? t('hits', { current: at + 1, count: view.hits.length }))}
          </span>
          {TOGGLES.map(({ key, sign }) => (
            <button
              key={key}
              type="button"
              aria-pressed={query[key]}
              aria-label={t(key)}
              title={t(key)}
              onClick={() => onQuery({ ...query, [key]: !query[key] })}
              className="text-small text-text-3 aria-pressed:bg-accent-soft aria-pressed:text-accent-text aria-pressed:ring-accent-line grid h-5 w-[22px] shrink-0 place-items-center rounded-sm font-mono font-medium focus-visible:shadow-(--focus-ring)! aria-pressed:ring-1 aria-pressed:ring-inset max-lg:h-9 max-lg:w-9"
            >
              {sign}
            </button>
          ))}
        </>
      }
    />
  );
}

interface LogSwitchProps {
  label: string;
  checked: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
}

/** A switch of the log's look, with its words. */
export function LogSwitch({ label, checked, disabled, onChange }: LogSwitchProps) {
  const id = useId();
  return (
    <span className="text-small text-text-2 flex items-center gap-2">
      <Switch id={id} checked={checked} disabled={disabled} onCheckedChange={onChange} />
      <label htmlFor={id}>{label}</label>
    </span>
  );
}
