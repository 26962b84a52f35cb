'use client';

import { useFormatter, useTranslations } from 'next-intl';
import { dateMs } from '@/components/data/dates';
import { useNow } from '@/components/data/use-now';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const UNITS = [
  { unit: 'seconds', size: 1000, below: MINUTE },
  { unit: 'minutes', size: MINUTE, below: HOUR },
  { unit: 'hours', size: HOUR, below: DAY },
  { unit: 'days', size: DAY, below: Infinity },
] as const;

/** How long ago, in words; the exact time on hover. Nothing for an unset date. */
export function Age({ at, isShort }: { at: string | undefined; isShort?: boolean }) {
  const text = useAge();
  const format = useFormatter();
  const ms = dateMs(at);
  if (ms === undefined) return null;
  const exact = format.dateTime(ms, {
    dateStyle: 'medium',
    timeStyle: 'medium',
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  });
  return (
    <time dateTime={new Date(ms).toISOString()} title={exact} className="tabular-nums">
      {text(ms, isShort)}
    </time>
  );
}

/** Words for how long ago something was; `isShort` leaves out the "ago". */
export function useAge(): (ms: number, isShort?: boolean) => string {
  const now = useNow();
  const short = useTranslations('common.age');
  const t = useTranslations('common.ago');
  const format = useFormatter();
  return (ms, isShort) => {
    const gone = Math.max(0, now - ms);
    if (isShort || gone < 14 * DAY) {
      const { unit, size } = UNITS.find(({ below }) => gone < below)!;
      return (isShort ? short : t)(unit, { count: Math.floor(gone / size) });
    }
    const isThisYear = new Date(ms).getFullYear() === new Date(now).getFullYear();
    return format.dateTime(ms, { day: 'numeric', month: 'short', ...(isThisYear ? {} : { year: 'numeric' }) });
  };
}
