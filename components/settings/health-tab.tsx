'use client';

import { useQuery } from '@tanstack/react-query';
import { Stethoscope, TriangleAlert } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { ready } from '@/components/data/client';
import { CheckList } from '@/components/records/check-list';
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
  const sorted = [...checks].sort((one, other) => URGENCY[one.state] - URGENCY[other.state]);
  const findings = sorted.map(({ code, ...check }) => ({
    ...check,
    name: t(`names.${code}`),
    stateWords: t(`states.${check.state}`),
  }));
  return <CheckList label={t('title')} findings={findings} />;
}
