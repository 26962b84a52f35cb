'use client';

import { useFormatter } from 'next-intl';
import { dateMs } from '@/components/data/dates';

/** Words for the day and the time of a wire date, on the clock of whoever looks; empty for an unset one. */
export function useWhen(): (at: string | undefined) => string {
  const format = useFormatter();
  return (at) => {
    const ms = dateMs(at);
    if (ms === undefined) return '';
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    return format.dateTime(ms, { dateStyle: 'medium', timeStyle: 'short', timeZone });
  };
}
