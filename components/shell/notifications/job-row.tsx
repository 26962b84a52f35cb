'use client';

import clsx from 'clsx';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { useServerWords } from '@/components/data/server-words';
import { Age } from '@/components/records/age';
import { useImageActions } from '@/components/records/use-image-actions';
import { useWhen } from '@/components/records/use-when';
import { Button } from '@/components/ui/button';
import { Glyph } from '@/components/ui/glyph';
import type { Job } from './use-jobs';

const glyphs = { busy: 'busy', failed: 'bad', done: 'done', notice: 'warn' } as const;

interface JobRowProps {
  job: Job;
  isNew: boolean;
  onLeave: () => void;
}

/** One build or deployment: state, what, since when, and the way to it. */
export function JobRow({ job, isNew, onLeave }: JobRowProps) {
  const t = useTranslations('layout.jobs');
  const common = useTranslations('common.actions');
  const words = useJobWords();
  const { ask } = useImageActions();
  const { cancellable } = job;
  const isFailed = job.state === 'failed';
  return (
    <li
      title={job.message || undefined}
      className="border-line grid min-h-10 grid-cols-[92px_minmax(0,1fr)_auto_72px] items-center gap-2.5 border-t px-3 max-sm:min-h-11 max-sm:grid-cols-[auto_minmax(0,1fr)_auto_auto]"
    >
      <span className="flex items-center gap-[7px]">
        <Glyph kind={job.isCancelled ? 'off' : glyphs[job.state]} />
        <span className={clsx('font-medium max-sm:sr-only', isFailed && 'text-bad-text')}>
          {job.isCancelled ? t('cancelled') : t(`states.${job.state}`)}
        </span>
      </span>
      <span className={clsx(job.notice ? 'py-1.5' : 'truncate', isNew && 'font-medium')}>
        {words(job)}
        {isNew && <span className="sr-only">, {t('new')}</span>}
      </span>
      <span className="text-small text-text-3">
        <Age at={job.at} isShort={job.state === 'busy'} />
      </span>
      <span className="text-right">
        {cancellable ? (
          <Button
            size="sm"
            aria-label={t('cancelOf', { name: job.name })}
            onClick={() => void ask([cancellable], 'cancelBuild')}
          >
            {common('cancel')}
          </Button>
        ) : (
          <Link
            href={job.href}
            onClick={onLeave}
            aria-label={isFailed ? t('logOf', { name: job.name }) : t('openOf', { name: job.name })}
            className="text-accent-text rounded-sm px-1 py-1.5 font-medium hover:underline max-lg:py-2"
          >
            {isFailed ? t('log') : t('open')}
          </Link>
        )}
      </span>
    </li>
  );
}

/** What a row says: a job by its name and number, a notice as a sentence. */
function useJobWords(): (job: Job) => string {
  const t = useTranslations('layout.jobs');
  const say = useServerWords();
  const when = useWhen();
  return ({ kind, notice, name, number }) => {
    if (!notice) return kind === 'notice' ? name : t(kind, { name, number });
    const { at, minutes, days, reason, host, measure, percent, bound } = notice.details;
    return t(`notices.${notice.kind}`, {
      name,
      when: when(String(at ?? '')),
      minutes: Number(minutes ?? 0),
      days: Number(days ?? 0),
      reason: say(String(reason ?? '')),
      host: String(host ?? ''),
      measure: String(measure ?? ''),
      percent: Number(percent ?? 0),
      bound: Number(bound ?? 0),
    });
  };
}
