'use client';

import { useQuery } from '@tanstack/react-query';
import { CircleCheck, CircleX, Minus, Stethoscope, TriangleAlert } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { ready } from '@/components/data/client';
import { useServerWords } from '@/components/data/server-words';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { Card, Skeleton } from '@/components/ui/parts';

interface Check {
  /** A name among the messages. */
  code: 'version';
  state: 'ok' | 'warning' | 'error' | 'skipped';
  found: string;
  cure: string;
}

interface Health {
  state: 'ok' | 'warning' | 'error';
  checks: Check[];
}

const marks = {
  ok: <CircleCheck className="text-ok-text size-4" aria-hidden="true" />,
  warning: <TriangleAlert className="text-warn-text size-4" aria-hidden="true" />,
  error: <CircleX className="text-bad-text size-4" aria-hidden="true" />,
  skipped: <Minus className="text-text-3 size-4" aria-hidden="true" />,
};

/** How the console is, looked at when the page opens, and what to do about what is wrong. */
export function HealthTab() {
  const t = useTranslations('pages.settings.health');
  const { data, isError, isFetching, refetch } = useQuery({
    queryKey: ['console-health'],
    queryFn: async () => (await ready()).send<Health>('/api/health/checks', { method: 'GET', requestKey: null }),
    staleTime: 0,
  });
  const count = data?.checks.filter(({ state }) => state === data.state).length ?? 0;
  return (
    <div className="grid max-w-[860px] grid-cols-[minmax(0,1fr)] gap-3.5">
      <Card
        title={t('title')}
        actions={
          <Button size="sm" isBusy={isFetching} onClick={() => void refetch()}>
            <Stethoscope className="size-4" aria-hidden="true" />
            {t('again')}
          </Button>
        }
      >
        <div aria-live="polite" aria-busy={isFetching}>
          <p className="text-table text-text-2 px-3.5 pb-3">
            {data ? t(`summary.${data.state}`, { count }) : t('text')}
          </p>
          {!data && !isError && <Skeleton className="mx-3.5 mb-3.5 h-40" />}
          {isError && (
            <Notice tone="bad" icon={<TriangleAlert />} className="mx-3.5 mb-3.5">
              {t('unknown')}
            </Notice>
          )}
          {data && <Checks checks={data.checks} />}
        </div>
      </Card>
    </div>
  );
}

const URGENCY = { error: 0, warning: 1, ok: 2, skipped: 3 } as const;

function Checks({ checks }: { checks: readonly Check[] }) {
  const t = useTranslations('pages.settings.health');
  const say = useServerWords();
  const sorted = [...checks].sort((one, other) => URGENCY[one.state] - URGENCY[other.state]);
  return (
    <ul aria-label={t('title')} className="divide-line border-line divide-y border-t">
      {sorted.map(({ code, state, found, cure }) => (
        <li
          key={code}
          className="text-table grid grid-cols-[16px_150px_minmax(0,1fr)] gap-x-2.5 px-3.5 py-2 max-lg:grid-cols-[16px_minmax(0,1fr)]"
        >
          <span className="pt-0.5">{marks[state]}</span>
          <span className="font-medium">
            {t(`names.${code}`)}
            <span className="sr-only">: {t(`states.${state}`)}</span>
          </span>
          <span className="min-w-0 break-words max-lg:col-start-2">
            <span className={state === 'skipped' ? 'text-text-3' : 'text-text'}>{say(found)}</span>
            {cure !== '' && <span className="text-text-2 block">{say(cure)}</span>}
          </span>
        </li>
      ))}
    </ul>
  );
}
