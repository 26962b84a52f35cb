'use client';

import { useFormatter, useTranslations } from 'next-intl';
import type { HostMetrics, HostMetricSpan } from '@/components/data/types';
import { useFormats } from '@/components/records/use-formats';
import { roundUp } from '@/components/records/usage/chart-path';
import { UsageChart } from '@/components/records/usage/usage-chart';
import { UsageTable } from '@/components/records/usage/usage-table';
import { hostFrame } from './host-frame';

type Words = (value: number) => string;
type Key = 'cpu' | 'memory' | 'disk' | 'load' | 'gpu';
/** What the cards did not answer. */
const UNKNOWN = '–';

interface Chart {
  key: Key;
  title: string;
  words: Words;
  /** What it stands for at its top, and the newest value in words. */
  top: number;
  now: string;
}

const lastOf = (column: readonly number[]) => column.at(-1) ?? 0;
const mostOf = (column: readonly number[]) => column.reduce((high, value) => Math.max(high, value), 0);

/** A host's values as charts, and as a table. */
export function HostCharts({ metrics, span }: { metrics: HostMetrics; span: HostMetricSpan }) {
  const t = useTranslations('pages.hosts.usage');
  const { rate } = useWords();
  const charts = useCharts(metrics);
  const { at, received, sent } = metrics;
  const told = (title: string, column: readonly number[], words: Words) =>
    t('summary', { title, span: t(span), now: words(lastOf(column)), most: words(mostOf(column)) });
  const netTop = roundUp(Math.max(mostOf(received), mostOf(sent)), 1024);
  return (
    <>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(200px,1fr))] gap-x-6 gap-y-4">
        {charts.map(({ key, title, words, top, now }) => (
          <UsageChart
            key={key}
            title={title}
            now={now}
            top={words(top)}
            summary={told(title, metrics[key], words)}
            at={at}
            lines={[metrics[key]]}
            frame={hostFrame(metrics, span, top || 1)}
          />
        ))}
        <UsageChart
          title={t('network')}
          now={t('both', { received: rate(lastOf(received)), sent: rate(lastOf(sent)) })}
          top={rate(netTop)}
          summary={`${told(t('received'), received, rate)} ${told(t('sent'), sent, rate)}`}
          at={at}
          lines={[received, sent]}
          frame={hostFrame(metrics, span, netTop)}
        />
      </div>
      <UsageTable
        title={t('title')}
        at={at}
        hasDates={span === 'month'}
        columns={[
          ...charts.map(({ key, title, words }) => ({ head: title, values: metrics[key], words })),
          { head: t('received'), values: received, words: rate },
          { head: t('sent'), values: sent, words: rate },
        ]}
      />
    </>
  );
}

/** Those of one line, of the cards only where there are some. */
function useCharts(metrics: HostMetrics): Chart[] {
  const t = useTranslations('pages.hosts.usage');
  const { cores, bytes, amount, percent } = useWords();
  const { cpuCores, memoryBytes, diskBytes, load, gpu, gpuMemory } = metrics;
  const chartOf = (key: Key, words: Words, top: number): Chart => ({
    key,
    title: t(key),
    words,
    top,
    now: words(lastOf(metrics[key])),
  });
  const charts = [
    chartOf('cpu', cores, cpuCores),
    chartOf('memory', bytes, memoryBytes),
    chartOf('disk', bytes, diskBytes),
    chartOf('load', amount, Math.max(cpuCores, roundUp(mostOf(load)))),
  ];
  if (gpu.length === 0) return charts;
  const chart = chartOf('gpu', percent, 1);
  const isKnown = lastOf(gpu) >= 0;
  const now = isKnown ? t('gpuNow', { load: chart.now, memory: bytes(lastOf(gpuMemory)) }) : chart.now;
  return [...charts, { ...chart, now }];
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
    percent: (value: number) => (value < 0 ? UNKNOWN : format.number(value, { style: 'percent' })),
  };
}
