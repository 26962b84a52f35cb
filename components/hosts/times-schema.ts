import { z } from 'zod';
import type { HostRecord } from '@/components/data/types';
import type { HostMeasure } from '@/lib/vocabulary/host-measures';
import { THRESHOLD_MINUTES_MAX, thresholdPercentMax, USUAL_THRESHOLDS } from '@/lib/vocabulary/host-thresholds';

const USUAL_MINUTES = 5;

export const INTERVALS = ['heartbeat_interval_seconds', 'reconciliation_interval_seconds'] as const;
export const TIMEOUTS = ['pull_timeout', 'push_timeout', 'build_timeout'] as const;

const intervalSchema = z.number().int('intervalRange').min(1, 'intervalRange').max(86_400, 'intervalRange');
/** Null is no timeout. */
const timeoutSchema = z
  .number()
  .nullable()
  .refine((seconds) => seconds === null || (seconds >= 1 && seconds <= 604_800), 'timeoutRange');

const rangeOf = (measure: HostMeasure) => (measure === 'load' ? 'loadRange' : 'percentRange');

/** Null is never told of. */
const thresholdSchema = (measure: HostMeasure) =>
  z.object({
    percent: z
      .number()
      .int(rangeOf(measure))
      .min(1, rangeOf(measure))
      .max(thresholdPercentMax(measure), rangeOf(measure))
      .nullable(),
    minutes: z.number().int('minutesRange').min(1, 'minutesRange').max(THRESHOLD_MINUTES_MAX, 'minutesRange'),
  });

export const intervalsSchema = z.object({
  heartbeat_interval_seconds: intervalSchema,
  reconciliation_interval_seconds: intervalSchema,
  thresholds: z.object({
    disk: thresholdSchema('disk'),
    memory: thresholdSchema('memory'),
    cpu: thresholdSchema('cpu'),
    load: thresholdSchema('load'),
  }),
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
  const thresholds = host.thresholds ?? USUAL_THRESHOLDS;
  const of = (measure: HostMeasure) => thresholds[measure] ?? { percent: null, minutes: USUAL_MINUTES };
  return {
    heartbeat_interval_seconds,
    reconciliation_interval_seconds,
    thresholds: { disk: of('disk'), memory: of('memory'), cpu: of('cpu'), load: of('load') },
  };
}

/** As the record keeps it. */
export function toIntervalsBody({ thresholds, ...intervals }: IntervalValues): Record<string, unknown> {
  const of = (measure: HostMeasure) => (thresholds[measure].percent === null ? null : thresholds[measure]);
  return { ...intervals, thresholds: { disk: of('disk'), memory: of('memory'), cpu: of('cpu'), load: of('load') } };
}

/** The record keeps 0 for none. */
export function toTimeouts({ pull_timeout, push_timeout, build_timeout }: HostRecord): TimeoutValues {
  return {
    pull_timeout: pull_timeout || null,
    push_timeout: push_timeout || null,
    build_timeout: build_timeout || null,
  };
}
