'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { messageOf } from '@/components/data/problems';
import { useServerWords } from '@/components/data/server-words';
import type { HostMetricSpan, HostRecord } from '@/components/data/types';
import { Card, Skeleton } from '@/components/ui/parts';
import { Segmented } from '@/components/ui/segmented';
import { HostCharts } from './host-charts';
import { HOST_SPANS, useHostMetrics } from './use-host-metrics';

/** What a host uses now, and did in the last minutes, the last day or thirty days. */
export function HostUsage({ host }: { host: HostRecord }) {
  const t = useTranslations('pages.hosts.usage');
  const say = useServerWords();
  const [span, setSpan] = useState<HostMetricSpan>('recent');
  const { data, error } = useHostMetrics(host.id, span);
  const words = error ? messageOf(error) : undefined;
  return (
    <Card
      title={t('title')}
      className="col-span-full"
      actions={
        <Segmented
          label={t('span')}
          value={span}
          onValueChange={setSpan}
          options={HOST_SPANS.map((value) => ({ value, label: t(value) }))}
        />
      }
    >
      <div className="px-3.5 pt-1 pb-3.5">
        {error ? (
          <p className="text-table text-text-3">{words ? say(words) : t('failed')}</p>
        ) : !data ? (
          <Skeleton className="h-20 w-full" />
        ) : data.at.length === 0 ? (
          <p className="text-table text-text-3">{t('none')}</p>
        ) : (
          <HostCharts metrics={data} span={span} />
        )}
      </div>
    </Card>
  );
}
