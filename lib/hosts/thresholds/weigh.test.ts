import { describe, expect, it } from 'vitest';
import { hostThresholdsSchema, USUAL_THRESHOLDS } from '@/lib/vocabulary/host-thresholds';
import { type HostUse, weigh, type Weighed } from './weigh';

const MINUTE = 60_000;

/** A host that is weighed every minute; `undefined` is a minute in which it was away. */
function watch(thresholds: typeof USUAL_THRESHOLDS, uses: (HostUse | undefined)[]) {
  let state: Pick<Weighed, 'alarms' | 'turning'> = { alarms: {}, turning: {} };
  let isAfterGap = false;
  const told: string[] = [];
  uses.forEach((use, minute) => {
    if (!use) return void (isAfterGap = true);
    const at = { ...state, nowMs: minute * MINUTE, wireDate: `minute ${minute}`, isAfterGap };
    const weighed = weigh(thresholds, use, at);
    state = weighed;
    isAfterGap = false;
    for (const { measure, isAbove } of weighed.crossings)
      told.push(`${minute} ${measure} ${isAbove ? 'above' : 'over'}`);
  });
  return { told, ...state };
}
const times = (count: number, use: HostUse | undefined) => Array.from({ length: count }, () => use);

describe('the bounds of a host', () => {
  it('are those of the disk alone where nobody set any', () => {
    expect(USUAL_THRESHOLDS).toEqual({ disk: { percent: 90, minutes: 5 }, memory: null, cpu: null, load: null });
    expect(watch(USUAL_THRESHOLDS, times(20, { disk: 50, memory: 100, cpu: 100, load: 900 })).told).toEqual([]);
  });

  it('are told of once, after their minutes, and once when it is over', () => {
    const uses = [...times(10, { disk: 95 }), ...times(4, { disk: 88 }), ...times(10, { disk: 80 })];
    const { told, alarms } = watch(USUAL_THRESHOLDS, uses);
    expect(told).toEqual(['5 disk above', '19 disk over']);
    expect(alarms).toEqual({});
  });

  it('are not crossed by what goes up and down about them', () => {
    const flickering = Array.from({ length: 60 }, (_, minute) => ({ disk: minute % 3 === 0 ? 89 : 95 }));
    expect(watch(USUAL_THRESHOLDS, flickering)).toMatchObject({ told: [], alarms: {} });
    const near = [
      ...times(6, { disk: 95 }),
      ...Array.from({ length: 60 }, (_, minute) => ({ disk: 86 + (minute % 5) })),
    ];
    expect(watch(USUAL_THRESHOLDS, near).told).toEqual(['5 disk above']);
  });

  it('count their minutes anew after a gap, and keep what was told over one', () => {
    const { told } = watch(USUAL_THRESHOLDS, [...times(4, { disk: 95 }), undefined, ...times(7, { disk: 95 })]);
    expect(told).toEqual(['10 disk above']);
    const away = [...times(6, { disk: 95 }), ...times(30, undefined), ...times(3, { disk: 95 })];
    expect(watch(USUAL_THRESHOLDS, away)).toMatchObject({ told: ['5 disk above'], alarms: { disk: { percent: 90 } } });
  });

  it('leave alone what is not measured, and what nobody watches any more', () => {
    const bounds = hostThresholdsSchema.parse({ disk: null, cpu: { percent: 50, minutes: 1 } });
    expect(watch(bounds, times(5, {}))).toEqual({ told: [], alarms: {}, turning: {}, crossings: [] });
    const at = { alarms: { disk: { percent: 90, since: '' } }, turning: {}, nowMs: 0, wireDate: '', isAfterGap: false };
    expect(weigh(bounds, { disk: 99 }, at)).toEqual({ alarms: {}, turning: {}, crossings: [] });
  });

  it('are over for what is not measured any more, untold, and not for what is away for a moment', () => {
    const bounds = hostThresholdsSchema.parse({ disk: null, cpu: { percent: 50, minutes: 5 } });
    const above = times(6, { cpu: 60 });
    const rest = { told: ['5 cpu above'], turning: {}, crossings: [] };
    expect(watch(bounds, [...above, ...times(6, {})])).toEqual({ ...rest, alarms: {} });
    expect(watch(bounds, [...above, ...times(4, {}), ...times(9, { cpu: 60 })])).toEqual({
      ...rest,
      alarms: { cpu: { percent: 50, since: 'minute 5' } },
    });
  });

  it('come to their end where they are small', () => {
    for (const percent of [1, 2, 5]) {
      const bounds = hostThresholdsSchema.parse({ disk: null, cpu: { percent, minutes: 1 } });
      const { told, alarms } = watch(bounds, [...times(2, { cpu: percent }), ...times(2, { cpu: percent / 2 })]);
      expect([told, alarms]).toEqual([['1 cpu above', '3 cpu over'], {}]);
      const near = watch(bounds, [...times(2, { cpu: percent }), ...times(9, { cpu: percent * 0.6 })]);
      expect(near.told).toEqual(['1 cpu above']);
    }
  });

  it('hold as they are now: what was told of another bound goes, or is of the new one', () => {
    const at = {
      alarms: { disk: { percent: 90, since: 'then' } },
      turning: {},
      nowMs: 0,
      wireDate: '',
      isAfterGap: false,
    };
    const weighed = (percent: number, disk?: number) =>
      weigh(hostThresholdsSchema.parse({ disk: { percent, minutes: 5 } }), { ...(disk !== undefined && { disk }) }, at);
    expect(weighed(95, 93)).toEqual({ alarms: {}, turning: {}, crossings: [] });
    expect(weighed(95, 97)).toEqual({ alarms: { disk: { percent: 95, since: 'then' } }, turning: {}, crossings: [] });
    expect(weighed(80, 93)).toEqual({ alarms: { disk: { percent: 80, since: 'then' } }, turning: {}, crossings: [] });
    expect(weighed(90, 89).alarms).toEqual(at.alarms);
    expect(weighed(95).alarms).toEqual(at.alarms);
  });
});
