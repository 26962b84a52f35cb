import { z } from 'zod';
import { timeLimits } from './time-limits';

/** What a quota bounds, in the order of pages. Memory and storage are bytes, CPUs cores. */
export const QUOTA_AMOUNTS = ['workspaces', 'running', 'cpus', 'memoryBytes', 'gpus', 'storageBytes'] as const;
export type QuotaAmount = (typeof QUOTA_AMOUNTS)[number];

/** How far somebody may go about the time of their workspaces, as the settings say it for everybody. */
export const QUOTA_TIMES = ['idleMinutesMax', 'deleteDaysMax', 'keepHoursMax'] as const;
export type QuotaTime = (typeof QUOTA_TIMES)[number];

export const QUOTA_FIELDS = [...QUOTA_AMOUNTS, ...QUOTA_TIMES] as const;
export type QuotaField = (typeof QUOTA_FIELDS)[number];

/** Says that there is no bound, also where groups or the default have one. */
export const UNLIMITED = 'unlimited';

/** A bound, none, or null where the quota says nothing of the amount. */
export type QuotaValue = number | typeof UNLIMITED | null;

/** Where a bound comes from: the person's own quota, the most generous of their groups, what is for everybody, or nowhere. */
export const QUOTA_SOURCES = ['user', 'group', 'default', 'none'] as const;

export const QUOTA_COUNT_MAX = 1_000_000;
export const QUOTA_BYTES_MAX = 1024 ** 5;

const count = z.union([z.literal(UNLIMITED), z.int().min(0).max(QUOTA_COUNT_MAX)], {
  error: 'Enter a whole number from 0 to 1000000, or nothing.',
});
const cores = z.union([z.literal(UNLIMITED), z.number().min(0).max(QUOTA_COUNT_MAX)], {
  error: 'Enter a number from 0 to 1000000, or nothing.',
});
const bytes = z.union([z.literal(UNLIMITED), z.int().min(0).max(QUOTA_BYTES_MAX)], {
  error: 'Enter a whole number of bytes, 1 PiB at most, or nothing.',
});

const whole = (min: number, max: number) =>
  z.union([z.literal(UNLIMITED), z.int().min(min).max(max)], {
    error: `Enter a whole number from ${min} to ${max}, or nothing.`,
  });

/** What each field may be set to; null says nothing of it. */
export const quotaSchemas = {
  workspaces: count,
  running: count,
  cpus: cores,
  memoryBytes: bytes,
  gpus: count,
  storageBytes: bytes,
  idleMinutesMax: whole(timeLimits.idleMinutesMin, timeLimits.idleMinutesMax),
  deleteDaysMax: whole(timeLimits.deleteDaysMin, timeLimits.deleteDaysMax),
  keepHoursMax: whole(1, timeLimits.keepHoursMax),
} as const satisfies Record<QuotaField, z.ZodType>;
