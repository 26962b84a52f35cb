import { z } from 'zod';
import type { HostRecord } from '@/components/data/types';

export const INTERVALS = ['heartbeat_interval_seconds', 'reconciliation_interval_seconds'] as const;
export const TIMEOUTS = ['pull_timeout', 'push_timeout', 'build_timeout'] as const;

const intervalSchema = z.number().int('intervalRange').min(1, 'intervalRange').max(86_400, 'intervalRange');
/** Null is no timeout. */
const timeoutSchema = z
  .number()
  .nullable()
  .refine((seconds) => seconds === null || (seconds >= 1 && seconds <= 604_800), 'timeoutRange');

export const intervalsSchema = z.object({
  heartbeat_interval_seconds: intervalSchema,
  reconciliation_interval_seconds: intervalSchema,
});
export type IntervalValues = z.infer<typeof intervalsSchema>;

export const timeoutsSchema = z.object({
  pull_timeout: timeoutSchema,
  push_timeout: timeoutSchema,
  build_timeout: timeoutSchema,
});
export type TimeoutValues = z.infer<typeof timeoutsSchema>;

export function toIntervals(host: HostRecord): IntervalValues {
  const { heartbeat_interval_seconds, reconciliation_interval_seconds } = host;
  return { heartbeat_interval_seconds, reconciliation_interval_seconds };
}

/** The record keeps 0 for none. */
export function toTimeouts({ pull_timeout, push_timeout, build_timeout }: HostRecord): TimeoutValues {
  return {
    pull_timeout: pull_timeout || null,
    push_timeout: push_timeout || null,
    build_timeout: build_timeout || null,
  };
}
