import { z } from 'zod';

/** How many backups a schedule may keep. */
export const BACKUPS_KEPT_MAX = 100;
export const BACKUP_HOURS_MAX = 168;

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** When a volume is backed up by itself, and how many of those backups stay. */
export const backupScheduleSchema = z.strictObject({
  every: z.enum(['hours', 'day', 'week']),
  /** Of `hours`. */
  hours: z.int().min(1).max(BACKUP_HOURS_MAX).default(24),
  /** Of `day` and `week`, on the clock of the time zone. */
  at: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Must be a time like 03:30.')
    .default('03:00'),
  /** Of `week`; 0 is Sunday. */
  weekday: z.int().min(0).max(6).default(0),
  timeZone: z.string().max(100).refine(isTimeZone, 'Must be the name of a time zone.').default('UTC'),
  keep: z.int().min(1).max(BACKUPS_KEPT_MAX),
});
export type BackupSchedule = z.infer<typeof backupScheduleSchema>;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** How far the zone's clock is ahead of UTC at a moment. */
function offsetMs(timeZone: string, atMs: number): number {
  const options = { timeZone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' } as const;
  const format = new Intl.DateTimeFormat('en-US', {
    ...options,
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const parts = Object.fromEntries(format.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(atMs / 1000) * 1000;
}

/** The moment at which the zone's clock shows that; one that a change of clocks skips is as much later. */
function momentOf(timeZone: string, shownMs: number): number {
  const first = shownMs - offsetMs(timeZone, shownMs);
  return shownMs - offsetMs(timeZone, first);
}

/** The first time after a moment that a schedule names, in milliseconds. */
export function nextBackupMs({ every, hours, at, weekday, timeZone }: BackupSchedule, afterMs: number): number {
  if (every === 'hours') return afterMs + hours * HOUR_MS;
  const [hour = 0, minute = 0] = at.split(':').map(Number);
  const shown = new Date(afterMs + offsetMs(timeZone, afterMs));
  const today = Date.UTC(shown.getUTCFullYear(), shown.getUTCMonth(), shown.getUTCDate(), hour, minute);
  // A day before: where clocks change, the zone's own day may lag behind.
  for (let day = -1; day <= 8; day += 1) {
    const wanted = today + day * DAY_MS;
    const moment = momentOf(timeZone, wanted);
    if (moment > afterMs && (every === 'day' || new Date(wanted).getUTCDay() === weekday)) return moment;
  }
  return afterMs + 7 * DAY_MS;
}
