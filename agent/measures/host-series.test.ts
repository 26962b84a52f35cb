import { describe, expect, it } from 'vitest';
import { downsample, type HostMeasured, HostSeries } from './host-series';

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

  it('leaves a gap where nothing was measured, and makes nothing of nothing', () => {
    expect(downsample([at(0), at(3000)], 300).map((each) => each.at)).toEqual([0, 3000]);
    expect(downsample([], 300)).toEqual([]);
  });
});

describe('the series of a host', () => {
  it('has ten minutes as they were', () => {
    const recent = measured(0, 3600).read('recent', 3590);
    expect([recent.length, recent[0]!.at, recent.at(-1)!.at]).toEqual([60, 3000, 3590]);
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
    expect(JSON.stringify(series.keep()).length).toBeLessThan(100_000);
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
    const kept = JSON.parse(JSON.stringify(measured(0, 3 * 3600).keep())) as ReturnType<HostSeries['keep']>;
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
});
