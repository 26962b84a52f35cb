'use client';

import { useFormatter, useTranslations } from 'next-intl';
import { useState } from 'react';
import { useFormats } from '@/components/records/use-formats';
import type { Metrics } from './use-measures';

/** Rows of the table; of a day every so many-th value. */
const ROWS_MAX = 60;

interface UsageTableProps {
  metrics: Metrics;
  words: Record<'cores' | 'rate' | 'percent', (value: number) => string>;
}

/** The same values as numbers, the newest first. */
export function UsageTable({ metrics, words }: UsageTableProps) {
  const { bytes } = useFormats();
  const t = useTranslations('pages.workspaces.usage');
  const format = useFormatter();
  const [isOpen, setOpen] = useState(false);
  const step = Math.ceil(metrics.at.length / ROWS_MAX);
  const rows = metrics.at.flatMap((at, index) => ((metrics.at.length - 1 - index) % step === 0 ? [{ at, index }] : []));
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const heads = [
    t('time'),
    t('cpu'),
    t('memory'),
    t('received'),
    t('sent'),
    ...(metrics.gpu.length > 0 ? [t('gpu')] : []),
  ];
  const cellsOf = (index: number) => [
    words.cores(metrics.cpu[index] ?? 0),
    bytes(metrics.memory[index] ?? 0),
    words.rate(metrics.received[index] ?? 0),
    words.rate(metrics.sent[index] ?? 0),
    ...(metrics.gpu.length > 0 ? [words.percent(metrics.gpu[index] ?? 0)] : []),
  ];
  return (
    <details className="mt-3" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="text-small text-text-2 inline-flex items-center rounded-sm font-medium max-lg:min-h-9">
        {t('asTable')}
      </summary>
      {isOpen && (
        <div className="mt-1.5 max-h-60 overflow-auto" tabIndex={0} role="region" aria-label={t('title')}>
          <table className="text-small w-full tabular-nums">
            <thead>
              <tr>
                {heads.map((head) => (
                  <th key={head} className="text-text-3 px-1.5 py-1 text-right font-medium first:text-left">
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.toReversed().map(({ at, index }) => (
                <tr key={at} className="border-line border-t">
                  <th className="px-1.5 py-1 text-left font-normal">
                    {format.dateTime(at * 1000, { hour: '2-digit', minute: '2-digit', second: '2-digit', timeZone })}
                  </th>
                  {cellsOf(index).map((cell, each) => (
                    <td key={each} className="px-1.5 py-1 text-right">
                      {cell}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </details>
  );
}
