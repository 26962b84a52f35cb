import { z } from 'zod';
import { isTimeZone, timesAround } from './zoned-time';

/** How many backups a schedule may keep. */
export const BACKUPS_KEPT_MAX = 100;
export const BACKUP_HOURS_MAX = 168;

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
const WEEK_MS = 7 * 24 * HOUR_MS;
const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6];

/** The first time after a moment that a schedule names, in milliseconds. */
export function nextBackupMs({ every, hours, at, weekday, timeZone }: BackupSchedule, afterMs: number): number {
  if (every === 'hours') return afterMs + hours * HOUR_MS;
  const weekdays = every === 'day' ? EVERY_DAY : [weekday];
  return timesAround({ at, weekdays }, timeZone, afterMs)?.next ?? afterMs + WEEK_MS;
}
