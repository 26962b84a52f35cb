import { z } from 'zod';
import { isTimeZone } from './zoned-time';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const WARN_MINUTES = 10;

const entrySchema = z.strictObject({
  /** On the clock of the time zone. */
  at: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Must be a time like 03:30.'),
  /** 0 is Sunday. */
  weekdays: z
    .array(z.int().min(0).max(6))
    .min(1, 'Choose at least one day.')
    .max(7)
    .refine((days) => new Set(days).size === days.length, 'Each day can be there once.'),
});

/** When a workspace is started and stopped by the clock; either may be left out. */
export const workspaceScheduleSchema = z
  .strictObject({
    timeZone: z.string().max(100).refine(isTimeZone, 'Must be the name of a time zone.'),
    start: entrySchema.nullable().default(null),
    stop: entrySchema.nullable().default(null),
  })
  .refine(({ start, stop }) => start !== null || stop !== null, {
    path: ['start'],
    message: 'Choose when it starts, or when it stops.',
  })
  .refine(({ start, stop }) => !start || !stop || start.at !== stop.at || !overlaps(start.weekdays, stop.weekdays), {
    path: ['stop', 'at'],
    message: 'It can not start and stop at the same time.',
  });
export type WorkspaceSchedule = z.infer<typeof workspaceScheduleSchema>;

function overlaps(one: readonly number[], other: readonly number[]): boolean {
  return one.some((day) => other.includes(day));
}

/** How long before it is stopped for want of use people are told; for short times a third of them. */
export function warnMs(idleMinutes: number): number {
  return Math.max(1, Math.min(WARN_MINUTES, Math.floor(idleMinutes / 3))) * MINUTE_MS;
}

/** How long before its deletion people are told of it, the earliest first. */
export function deletionLeads(days: number): number[] {
  if (days > 3) return [72 * HOUR_MS, 24 * HOUR_MS];
  return days > 1 ? [24 * HOUR_MS] : [6 * HOUR_MS];
}
