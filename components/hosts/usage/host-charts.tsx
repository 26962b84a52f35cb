'use client';

import { useFormatter, useTranslations } from 'next-intl';
import { useFormats } from '@/components/records/use-formats';
import { roundUp } from '@/components/records/usage/chart-path';
import { UsageChart } from '@/components/records/usage/usage-chart';
import { UsageTable } from '@/components/records/usage/usage-table';
import type { HostMetrics, HostSpan } from './use-host-metrics';

const SECONDS = { recent: 600, day: 86_400, month: 30 * 86_400 };

type Words = (value: number) => string;
type Key = 'cpu' | 'memory' | 'disk' | 'load' | 'gpu';

const lastOf = (column: readonly number[]) => column.at(-1) ?? 0;
const mostOf = (column: readonly number[]) => column.reduce((high, value) => Math.max(high, value), 0);

/** A host's values as charts, and as a table. */
export function HostCharts({ metrics, span }: { metrics: HostMetrics; span: HostSpan }) {
  const t = useTranslations('pages.hosts.usage');
  const words = useWords();
  const { at, received, sent, stepSeconds, cpuCores, memoryBytes, diskBytes } = metrics;
  const to = lastOf(at);
  const frameOf = (top: number) => ({ from: to - SECONDS[span], to, top, stepSeconds });
  const told = (title: string, column: readonly number[], say: Words) =>
    t('summary', { title, span: t(span), now: say(lastOf(column)), most: say(mostOf(column)) });
  const charts: { key: Key; say: Words; top: number; now?: string }[] = [
    { key: 'cpu', say: words.cores, top: cpuCores },
    { key: 'memory', say: words.bytes, top: memoryBytes },
    { key: 'disk', say: words.bytes, top: diskBytes },
    { key: 'load', say: words.amount, top: Math.max(cpuCores, roundUp(mostOf(metrics.load))) },
  ];
  if (metrics.gpu.length > 0) {
    const now = t('gpuNow', {
      load: words.percent(lastOf(metrics.gpu)),
      memory: words.bytes(lastOf(metrics.gpuMemory)),
    });
    charts.push({ key: 'gpu', say: words.percent, top: 1, now });
  }
  const netTop = roundUp(Math.max(mostOf(received), mostOf(sent)), 1024);
  const titleOf = (key: Key) => t(key);
  return (
    <>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(200px,1fr))] gap-x-6 gap-y-4">
        {charts.map(({ key, say, top, now }) => (
          <UsageChart
            key={key}
            title={titleOf(key)}
            now={now ?? say(lastOf(metrics[key]))}
            top={say(top)}
            summary={told(titleOf(key), metrics[key], say)}
            at={at}
            lines={[metrics[key]]}
            frame={frameOf(top || 1)}
          />
        ))}
        <UsageChart
          title={t('network')}
          now={t('both', { received: words.rate(lastOf(received)), sent: words.rate(lastOf(sent)) })}
          top={words.rate(netTop)}
          summary={`${told(t('received'), received, words.rate)} ${told(t('sent'), sent, words.rate)}`}
          at={at}
          lines={[received, sent]}
          frame={frameOf(netTop)}
        />
      </div>
      <UsageTable
        title={t('title')}
        at={at}
        hasDates={span === 'month'}
        columns={[
          ...charts.map(({ key, say }) => ({ head: titleOf(key), values: metrics[key], words: say })),
          { head: t('received'), values: received, words: words.rate },
          { head: t('sent'), values: sent, words: words.rate },
        ]}
      />
    </>
  );
}

function useWords() {
  const { bytes } = useFormats();
  const t = useTranslations('pages.hosts.usage');
  const format = useFormatter();
  const amount = (value: number) => format.number(value, { maximumFractionDigits: 2 });
  return {
    bytes,
    amount,
    cores: (value: number) => t('cores', { value: amount(value) }),
    rate: (value: number) => t('rate', { size: bytes(Math.round(value)) }),
    percent: (value: number) => format.number(value, { style: 'percent' }),
  };
}
