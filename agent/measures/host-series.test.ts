import { describe, expect, it } from 'vitest';
import { downsample, type HostMeasured, HostSeries, type KeptSeries } from './host-series';

const at = (seconds: number, value = 1): HostMeasured => ({
  at: seconds,
  cpu: value,
  memory: value,
  disk: value,
  load: value,
  received: value,
  sent: value,
  gpu: -1,
  gpuMemory: -1,
});
const DAY = 86_400;
/** Of a host that is larger than most. */
const BIG: HostMeasured = {
  at: 0,
  cpu: 123.456_789,
  memory: 2_199_023_255_552,
  disk: 109_951_162_777_600,
  load: 1234.567_89,
  received: 12_345_678_901.234,
  sent: 12_345_678_901.234,
  gpu: 2 / 3,
  gpuMemory: 1_099_511_627_776,
};

function measured(from: number, to: number, valueOf: (seconds: number) => number = () => 1, series = new HostSeries()) {
  for (let seconds = from; seconds < to; seconds += 10) series.push(at(seconds, valueOf(seconds)));
  return series;
}

describe('downsampling', () => {
  it('keeps the mean, and the most of what takes room', () => {
    expect(downsample([at(0, 1), at(10, 3), at(300, 8)], 300)).toEqual([
      { ...at(0, 2), memory: 3, disk: 3 },
      at(300, 8),
    ]);
  });

  it('takes what was not known for nothing, and says so where it never was', () => {
    const known = { ...at(10, 1), gpu: 0.5, gpuMemory: 7 };
    const [some, none] = downsample([at(0), known, { ...known, at: 20 }, at(300)], 300);
    expect(some).toMatchObject({ gpu: 0.5, gpuMemory: 7 });
    expect(none).toMatchObject({ gpu: -1, gpuMemory: -1 });
  });

  it('leaves a gap where nothing was measured, and makes nothing of nothing', () => {
    expect(downsample([at(0), at(3000)], 300).map((each) => each.at)).toEqual([0, 3000]);
    expect(downsample([], 300)).toEqual([]);
  });
});

describe('the series of a host', () => {
  it('has ten minutes as they were', () => {
    const recent = measured(0, 3600).read('recent', 3590);
    expect([recent.length, recent[0]!.at, recent.at(-1)!.at]).toEqual([61, 2990, 3590]);
  });

  it('has a day by five minutes, and thirty days by two hours, bounded', () => {
    const series = measured(0, 40 * DAY);
    const now = 40 * DAY - 10;
    const [day, month] = [series.read('day', now), series.read('month', now)];
    expect(day.length).toBeLessThanOrEqual(290);
    expect(day.length).toBeGreaterThanOrEqual(287);
    expect(month.length).toBeLessThanOrEqual(362);
    expect(month.length).toBeGreaterThanOrEqual(359);
    expect(new Set(day.map(({ at: time }) => time % 300))).toEqual(new Set([0]));
    expect(new Set(month.map(({ at: time }) => time % 7200))).toEqual(new Set([0]));
  });

  it('shows what is under way, and a gap', () => {
    const series = measured(0, 3600, () => 2);
    measured(4 * 3600, 4 * 3600 + 600, () => 4, series);
    const now = 4 * 3600 + 590;
    expect(series.read('day', now).map((each) => each.at)).toEqual([
      ...Array.from({ length: 12 }, (_, index) => index * 300),
      14_400,
      14_700,
    ]);
    expect(series.read('month', now).map((each) => [each.at, each.cpu])).toEqual([
      [0, 2],
      [14_400, 4],
    ]);
  });

  it('goes on after a restart with what was kept', () => {
    const kept = JSON.parse(JSON.stringify(measured(0, 3 * 3600).keep())) as KeptSeries;
    const series = measured(3 * 3600 + 600, 5 * 3600, () => 5, new HostSeries(kept));
    const month = series.read('month', 5 * 3600);
    expect(month.map((each) => each.at)).toEqual([0, 7200, 14_400]);
    expect(month[0]!.cpu).toBe(1);
    expect(month[1]!.cpu).toBeGreaterThan(1);
  });

  it('begins anew where the clock was set back', () => {
    const series = measured(0, 7200);
    measured(3600, 4200, () => 9, series);
    const day = series.read('day', 4190);
    expect(day.map((each) => each.at)).toEqual([...day.map((each) => each.at)].sort((one, other) => one - other));
    expect(day.at(-1)).toMatchObject({ at: 3900, cpu: 9 });
    expect(series.read('recent', 4190).every((each) => each.at <= 4190)).toBe(true);
  });

  it('loses next to nothing to a clock that is wrong for a while, over a restart too', () => {
    const now = 40 * DAY + 3600;
    for (const wrong of [0, now - 2 * DAY, now + 40 * DAY, now + 10 * 365 * DAY]) {
      for (const isRestarted of [false, true]) {
        let series = new HostSeries();
        for (let seconds = 0; seconds < now; seconds += 150) series.push(at(seconds));
        const before = { day: series.read('day', now), month: series.read('month', now) };
        if (isRestarted) series = new HostSeries(JSON.parse(JSON.stringify(series.keep())) as KeptSeries);
        measured(wrong, wrong + 60, () => 9, series);
        measured(now, now + 600, () => 1, series);
        const [day, month] = [series.read('day', now + 590), series.read('month', now + 590)];
        expect(day.length).toBeGreaterThanOrEqual(before.day.length - 2);
        expect(month.length).toBeGreaterThanOrEqual(before.month.length - 2);
        // Only the step that the wrong clock stood in.
        expect([...day, ...month].filter(({ cpu }) => cpu !== 1).length).toBeLessThanOrEqual(1);
      }
    }
  });

  it('is in order and has each time once after the clock was set back', () => {
    const series = measured(0, 5 * 3600);
    measured(3600, 3 * 3600, () => 9, series);
    for (const span of ['recent', 'day', 'month'] as const) {
      const times = series.read(span, 3 * 3600 - 10).map((each) => each.at);
      expect(times).toEqual([...new Set(times)].sort((one, other) => one - other));
    }
    expect(series.read('month', 3 * 3600 - 10).map((each) => [each.at, each.cpu])).toEqual([
      [0, 5],
      [7200, 9],
    ]);
  });

  it('stays small where the values have many digits, and where the clock never stands still', () => {
    const series = new HostSeries();
    const push = (seconds: number): boolean => series.push({ ...BIG, at: seconds });
    for (let seconds = 0; seconds < 40 * DAY; seconds += 150) push(1_800_000_000 + seconds);
    for (let round = 0; round < 2000; round += 1) push(1_800_000_000 + ((round * 7919) % 5000) * 7200);
    const kept = series.keep();
    expect([kept.day.length, kept.month.length]).toEqual([290, 362]);
    expect(JSON.stringify(kept).length).toBeLessThan(120_000);
    expect(kept.month[0]).toMatchObject({ cpu: 123.457, load: 1234.57, received: 12_345_678_901, gpu: 0.667 });
  });
});
