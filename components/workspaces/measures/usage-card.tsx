'use client';

import { useFormatter, useTranslations } from 'next-intl';
import { useState } from 'react';
import { messageOf } from '@/components/data/problems';
import type { WorkspaceRecord } from '@/components/data/types';
import { useFormats } from '@/components/records/use-formats';
import { Card, Skeleton } from '@/components/ui/parts';
import { Segmented } from '@/components/ui/segmented';
import { roundUp } from '@/components/records/usage/chart-path';
import { UsageChart } from '@/components/records/usage/usage-chart';
import { UsageTable } from '@/components/records/usage/usage-table';
import { type Metrics, type MetricSpan, useMetrics } from './use-measures';

const SECONDS = { recent: 600, day: 86_400 };
/** Values come a little early or late. */
const GAP_STEPS = 3;

/** What a workspace uses now, and did in the last minutes or the last day. */
export function UsageCard({ workspace }: { workspace: WorkspaceRecord }) {
  const t = useTranslations('pages.workspaces.usage');
  const [span, setSpan] = useState<MetricSpan>('recent');
  const { data, error } = useMetrics(workspace.id, span);
  return (
    <Card
      title={t('title')}
      actions={
        <Segmented
          label={t('span')}
          value={span}
          onValueChange={setSpan}
          options={[
            { value: 'recent', label: t('recent') },
            { value: 'day', label: t('day') },
          ]}
        />
      }
    >
      <div className="px-3.5 pt-1 pb-3.5">
        {error ? (
          <p className="text-table text-text-3">{messageOf(error) ?? t('failed')}</p>
        ) : !data ? (
          <Skeleton className="h-20 w-full" />
        ) : data.at.length === 0 ? (
          <p className="text-table text-text-3">{t('none')}</p>
        ) : (
          <Usage workspace={workspace} metrics={data} span={span} />
        )}
      </div>
    </Card>
  );
}

interface UsageProps {
  workspace: WorkspaceRecord;
  metrics: Metrics;
  span: MetricSpan;
}

function Usage({ workspace, metrics, span }: UsageProps) {
  const { bytes } = useFormats();
  const t = useTranslations('pages.workspaces.usage');
  const format = useFormatter();
  const { at, cpu, memory, received, sent, gpu, gpuMemory, stepSeconds } = metrics;
  const to = at.at(-1) ?? 0;
  const frameOf = (top: number) => ({ from: to - SECONDS[span], to, top, stepSeconds, gapSteps: GAP_STEPS });
  const cores = (value: number) => t('cores', { value: format.number(value, { maximumFractionDigits: 2 }) });
  const rate = (value: number) => t('rate', { size: bytes(Math.round(value)) });
  const percent = (value: number) => format.number(value, { style: 'percent' });
  const last = (column: readonly number[]) => column.at(-1) ?? 0;
  const most = (column: readonly number[]) => column.reduce((high, value) => Math.max(high, value), 0);
  const told = (title: string, column: readonly number[], words: (value: number) => string) =>
    t('summary', { title, span: t(span), now: words(last(column)), most: words(most(column)) });
  const cpuTop = roundUp(most(cpu));
  const memoryTop = workspace.memoryLimit || roundUp(most(memory), 1024);
  const netTop = roundUp(Math.max(most(received), most(sent)), 1024);
  const net = (index: 'received' | 'sent') => rate(last(metrics[index]));
  return (
    <>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(200px,1fr))] gap-x-6 gap-y-4">
        <UsageChart
          title={t('cpu')}
          now={cores(last(cpu))}
          top={cores(cpuTop)}
          summary={told(t('cpu'), cpu, cores)}
          at={at}
          lines={[cpu]}
          frame={frameOf(cpuTop)}
        />
        <UsageChart
          title={t('memory')}
          now={bytes(last(memory))}
          top={bytes(memoryTop)}
          summary={told(t('memory'), memory, bytes)}
          at={at}
          lines={[memory]}
          frame={frameOf(memoryTop)}
        />
        <UsageChart
          title={t('network')}
          now={t('both', { received: net('received'), sent: net('sent') })}
          top={rate(netTop)}
          summary={`${told(t('received'), received, rate)} ${told(t('sent'), sent, rate)}`}
          at={at}
          lines={[received, sent]}
          frame={frameOf(netTop)}
        />
        {gpu.length > 0 && (
          <UsageChart
            title={t('gpu')}
            now={t('gpuNow', { load: percent(last(gpu)), memory: bytes(last(gpuMemory)) })}
            top={percent(1)}
            summary={told(t('gpu'), gpu, percent)}
            at={at}
            lines={[gpu]}
            frame={frameOf(1)}
          />
        )}
      </div>
      <UsageTable
        title={t('title')}
        at={at}
        columns={[
          { head: t('cpu'), values: cpu, words: cores },
          { head: t('memory'), values: memory, words: bytes },
          { head: t('received'), values: received, words: rate },
          { head: t('sent'), values: sent, words: rate },
          ...(gpu.length > 0 ? [{ head: t('gpu'), values: gpu, words: percent }] : []),
        ]}
      />
    </>
  );
}
