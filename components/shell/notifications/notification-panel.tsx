'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { setPreferences } from '@/components/data/preferences';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/parts';
import { Segmented } from '@/components/ui/segmented';
import { JobRow } from './job-row';
import { FIRST_JOBS, useJobCount, useJobs } from './use-jobs';

const FILTERS = ['all', 'busy', 'failed', 'done'] as const;
type Filter = (typeof FILTERS)[number];
const MORE = 50;
const MOST = 500;

interface PanelProps {
  newestMs: number;
  readMs: number;
  onLeave: () => void;
}

/** What goes on and what went before, by how it went. */
export function NotificationPanel({ newestMs, readMs, onLeave }: PanelProps) {
  const t = useTranslations('layout.jobs');
  const [filter, setFilter] = useState<Filter>('all');
  const [perPage, setPerPage] = useState(FIRST_JOBS);
  const { jobs, isReady, hasOlder } = useJobs(perPage, filter === 'all' ? undefined : filter);
  // Until the answer for a filter is there, what is in sight is that of the one before.
  const shown = filter === 'all' ? jobs : jobs.filter((job) => job.state === filter);
  const counts = { busy: useJobCount('busy'), failed: useJobCount('failed') };
  const showOlder = hasOlder && perPage < MOST ? () => setPerPage(Math.min(perPage + MORE, MOST)) : undefined;
  const labelOf = (each: Filter) => {
    const number = each === 'busy' || each === 'failed' ? counts[each] : 0;
    return (
      <>
        {t(`filters.${each}`)}
        {number > 0 && <span className="text-text-3 tabular-nums">{number}</span>}
      </>
    );
  };
  return (
    <>
      <div className="flex min-h-[46px] flex-wrap items-center gap-2 py-2 pr-2 pl-3">
        <Segmented
          label={t('filter')}
          value={filter}
          onValueChange={setFilter}
          options={FILTERS.map((each) => ({ value: each, label: labelOf(each) }))}
        />
        <Button
          variant="ghost"
          size="sm"
          className="ml-auto"
          disabled={newestMs <= readMs}
          onClick={() => setPreferences({ notificationsReadMs: newestMs })}
        >
          {t('markRead')}
        </Button>
      </div>
      {!isReady && <Skeleton className="mx-3 mb-4 w-2/3" />}
      {isReady && shown.length === 0 && (
        <p className="border-line text-text-2 border-t px-3 py-6 text-center" role="status">
          {filter === 'all' ? t('none') : t('noneOf')}
        </p>
      )}
      {shown.length > 0 && (
        <ul aria-label={t('title')} tabIndex={0} data-inset="" className="max-h-[min(420px,60vh)] overflow-y-auto">
          {shown.map((job) => (
            <JobRow key={job.id} job={job} isNew={job.atMs > readMs} onLeave={onLeave} />
          ))}
        </ul>
      )}
      {isReady && showOlder && (
        <div className="border-line border-t px-2 py-1.5 text-center">
          <Button variant="ghost" size="sm" onClick={showOlder}>
            {t('older')}
          </Button>
        </div>
      )}
    </>
  );
}
