'use client';

import { useFormatter, useTranslations } from 'next-intl';
import { useState } from 'react';

/** Rows of the table; of a day every so many-th value. */
const ROWS_MAX = 60;

interface UsageTableProps {
  title: string;
  /** Seconds since the Unix epoch, the oldest first. */
  at: readonly number[];
  columns: readonly { head: string; values: readonly number[]; words: (value: number) => string }[];
  /** Whether the values lie days apart. */
  hasDates?: boolean;
}

/** The values of charts as numbers, the newest first. */
export function UsageTable({ title, at: times, columns, hasDates = false }: UsageTableProps) {
  const t = useTranslations('common.usage');
  const format = useFormatter();
  const [isOpen, setOpen] = useState(false);
  const step = Math.ceil(times.length / ROWS_MAX);
  const rows = times.flatMap((at, index) => ((times.length - 1 - index) % step === 0 ? [{ at, index }] : []));
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const heads = [t('time'), ...columns.map(({ head }) => head)];
  const clock = { hour: '2-digit', minute: '2-digit', timeZone } as const;
  const shown = hasDates
    ? ({ ...clock, day: 'numeric', month: 'short' } as const)
    : ({ ...clock, second: '2-digit' } as const);
  return (
    <details className="mt-3" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="text-small text-text-2 inline-flex items-center rounded-sm font-medium max-lg:min-h-9">
        {t('asTable')}
      </summary>
      {isOpen && (
        <div className="mt-1.5 max-h-60 overflow-auto" tabIndex={0} role="region" aria-label={title}>
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
                  <th className="px-1.5 py-1 text-left font-normal">{format.dateTime(at * 1000, shown)}</th>
                  {columns.map(({ head, values, words }) => (
                    <td key={head} className="px-1.5 py-1 text-right">
                      {words(values[index] ?? 0)}
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
