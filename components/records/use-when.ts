'use client';

import { useFormatter } from 'next-intl';
import { dateMs } from '@/components/data/dates';

/** A moment on the viewer's clock. */
export function useWhen(at: string | undefined): string {
  const format = useFormatter();
  const ms = dateMs(at);
  if (ms === undefined) return '';
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return format.dateTime(ms, { dateStyle: 'medium', timeStyle: 'short', timeZone });
}
