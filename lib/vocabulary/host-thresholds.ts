import { z } from 'zod';
import type { HostMeasure } from './host-measures';

export const THRESHOLD_MINUTES_MAX = 1440;
/** More programs may wait than there are cores. */
export const thresholdPercentMax = (measure: HostMeasure): number => (measure === 'load' ? 1000 : 100);

/** From that percentage on, for so many minutes without a gap, people are told; null is never. */
const threshold = (measure: HostMeasure) =>
  z
    .strictObject({
      percent: z.int().min(1).max(thresholdPercentMax(measure)),
      minutes: z.int().min(1).max(THRESHOLD_MINUTES_MAX),
    })
    .nullable();

export const hostThresholdsSchema = z.strictObject({
  disk: threshold('disk').default({ percent: 90, minutes: 5 }),
  memory: threshold('memory').default(null),
  cpu: threshold('cpu').default(null),
  load: threshold('load').default(null),
});
export type HostThresholds = z.output<typeof hostThresholdsSchema>;
export type HostThreshold = NonNullable<HostThresholds[HostMeasure]>;

/** Of a host where nobody changed anything. */
export const USUAL_THRESHOLDS: HostThresholds = hostThresholdsSchema.parse({});

/** What a host is above, by measure: the bound, and since when it is known. */
export type HostAlarms = Partial<Record<HostMeasure, { percent: number; since: string }>>;
