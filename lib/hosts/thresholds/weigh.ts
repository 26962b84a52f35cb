import { HOST_MEASURES, type HostMeasure } from '@/lib/vocabulary/host-measures';
import type { HostAlarms, HostThreshold, HostThresholds } from '@/lib/vocabulary/host-thresholds';

/** So many points below its bound a value has to be for what was told to be over; below a small bound half of it. */
const MARGIN = 5;
const MINUTE_MS = 60_000;

/** Percent of what there is; what nobody measured is left out. */
export type HostUse = Partial<Record<HostMeasure, number>>;
/** Since when a value is on the other side of its bound, in milliseconds. */
export type Turning = Partial<Record<HostMeasure, number>>;

export interface Crossing {
  measure: HostMeasure;
  isAbove: boolean;
  /** What it is now, and the bound. */
  percent: number;
  bound: HostThreshold;
}

type Alarm = NonNullable<HostAlarms[HostMeasure]>;

export interface Weighed {
  alarms: HostAlarms;
  turning: Turning;
  crossings: Crossing[];
}

/**
 * What follows from how a host does now: each bound is told of once it was crossed for its minutes without a gap, and once more
 * when the value was well below it for as long. What is not measured any more for as long is not above a bound, and nobody is told.
 * `isAfterGap` has the minutes count from now.
 */
export function weigh(
  thresholds: HostThresholds,
  use: HostUse,
  at: { alarms: HostAlarms; turning: Turning; nowMs: number; wireDate: string; isAfterGap: boolean },
): Weighed {
  const weighed: Weighed = { alarms: {}, turning: {}, crossings: [] };
  for (const measure of HOST_MEASURES) {
    const bound = thresholds[measure];
    const percent = use[measure];
    // Whoever takes a bound away does not want to hear of it any more.
    if (!bound) continue;
    const alarm = ofBound(at.alarms[measure], bound, percent);
    if (alarm) weighed.alarms[measure] = alarm;
    if (!hasTurned(percent, bound, alarm !== undefined)) continue;
    const since = at.isAfterGap ? at.nowMs : (at.turning[measure] ?? at.nowMs);
    if (at.nowMs - since < bound.minutes * MINUTE_MS) {
      weighed.turning[measure] = since;
      continue;
    }
    if (alarm) delete weighed.alarms[measure];
    else weighed.alarms[measure] = { percent: bound.percent, since: at.wireDate };
    if (percent !== undefined) weighed.crossings.push({ measure, isAbove: !alarm, percent, bound });
  }
  return weighed;
}

/** What was told, by the bound as it is now: one that was changed since holds at once. */
function ofBound(alarm: Alarm | undefined, bound: HostThreshold, percent: number | undefined): Alarm | undefined {
  if (!alarm || alarm.percent === bound.percent || percent === undefined) return alarm;
  return percent < bound.percent ? undefined : { ...alarm, percent: bound.percent };
}

function hasTurned(percent: number | undefined, bound: HostThreshold, isAlarmed: boolean): boolean {
  if (percent === undefined) return isAlarmed;
  return isAlarmed ? percent <= bound.percent - Math.min(MARGIN, bound.percent / 2) : percent >= bound.percent;
}
