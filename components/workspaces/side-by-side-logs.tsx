'use client';

import clsx from 'clsx';
import { Columns2 } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { LogSwitch, LogToolbar } from '@/components/records/log-toolbar';
import { Button } from '@/components/ui/button';
import { HeroState } from '@/components/ui/hero-state';
import { LogStore, type LogView } from '@/components/ui/log/log-store';
import { paths } from '@/lib/paths';
import { LogPane } from './log-pane';
import { stretchOf } from './log-span';
import { LogSpanPicker } from './log-span-picker';
import { useLogAddress } from './use-log-address';

const NOTHING = new LogStore().getView();

/** The logs of a few workspaces beside each other, with one search and one stretch of time for all. */
export function SideBySideLogs() {
  const t = useTranslations('pages.workspaces.logs');
  const common = useTranslations('common.log');
  const { address, change } = useLogAddress();
  const { ids, query, isWrapped, hasTime } = address;
  const [stretch, setStretch] = useState(() => stretchOf(address));
  const [views, setViews] = useState<Readonly<Record<string, LogView>>>({});
  if (ids.length === 0) return <NoneChosen />;
  const shown = ids.map((id) => views[id] ?? NOTHING);
  const hits = shown.reduce((sum, view) => sum + view.hits.length, 0);
  return (
    <div className="flex min-h-0 flex-1 flex-col max-lg:overflow-y-auto">
      <h1 className="text-lead shrink-0 px-6 pt-3.5 pb-1 font-semibold max-lg:px-4">{t('together.title')}</h1>
      <LogToolbar
        search={{ query, onQuery: (next) => change({ query: next }), current: undefined, onStep: () => undefined }}
        view={addUp(shown)}
        isWhole={false}
        note={t('together.hits', { count: hits })}
      >
        <LogSpanPicker
          address={address}
          onChange={(part) => {
            change(part);
            setStretch(stretchOf(part));
          }}
        />
        <div className="ml-auto flex items-center gap-4">
          <LogSwitch label={common('wrap')} checked={isWrapped} onChange={(isOn) => change({ isWrapped: isOn })} />
          <LogSwitch label={common('time')} checked={hasTime} onChange={(isOn) => change({ hasTime: isOn })} />
        </div>
      </LogToolbar>
      <div
        className={clsx(
          'bg-line grid min-h-0 flex-1 auto-rows-fr gap-px max-lg:flex-none max-lg:shrink-0 max-lg:auto-rows-[minmax(320px,60vh)]',
          ids.length > 1 && 'lg:grid-cols-2',
          ids.length === 3 && 'xl:grid-cols-3',
        )}
      >
        {ids.map((id) => (
          <LogPane
            key={id}
            workspaceId={id}
            query={query}
            stretch={stretch}
            look={{ isWrapped, hasTime }}
            onView={(view) => setViews((all) => (all[id] === view ? all : { ...all, [id]: view }))}
            onLeave={() => change({ ids: ids.filter((other) => other !== id) })}
          />
        ))}
      </div>
    </div>
  );
}

function NoneChosen() {
  const t = useTranslations('pages.workspaces.logs.together');
  return (
    <HeroState
      isPageTitle
      drawing={<Columns2 className="text-text-3 size-8" aria-hidden="true" />}
      title={t('none')}
      text={t('noneText')}
      actions={
        <Button asChild variant="primary">
          <Link href={paths.workspaces}>{t('choose')}</Link>
        </Button>
      }
    />
  );
}

/** What the toolbar tells of all logs. Each steps through its hits by itself, so none are named here. */
function addUp(views: readonly LogView[]): LogView {
  const counts = { ...NOTHING.counts };
  for (const view of views) {
    for (const level of Object.keys(counts) as (keyof typeof counts)[]) counts[level] += view.counts[level];
  }
  return { ...NOTHING, counts, isPatternWrong: views.some(({ isPatternWrong }) => isPatternWrong) };
}
