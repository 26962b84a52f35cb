import { describe, expect, it } from 'vitest';
import { type Measured, Series } from './series';

const at = (seconds: number, cpu = 1): Measured => ({
  at: seconds,
  cpu,
  memory: cpu * 100,
  received: 0,
  sent: 0,
  gpu: -1,
  gpuMemory: -1,
});

describe('a series', () => {
  it('keeps the last ten minutes as they were', () => {
    const series = new Series(10);
    for (let seconds = 0; seconds < 3600; seconds += 10) series.push(at(seconds, seconds));
    const recent = series.read('recent', 3590);
    expect(recent.length).toBe(60);
    expect([recent[0]!.at, recent.at(-1)!.at]).toEqual([3000, 3590]);
    expect(series.read('recent', 10_000)).toEqual([]);
  });

  it('keeps a day by the minute: the mean, of memory the most', () => {
    const series = new Series(10);
    for (let seconds = 0; seconds < 120; seconds += 10) series.push(at(seconds, seconds));
    const day = series.read('day', 120);
    expect(day).toEqual([
      { ...at(0), cpu: 25, memory: 5000 },
      { ...at(60), cpu: 85, memory: 11_000 },
    ]);
  });

  it('forgets what is older than a day', () => {
    const series = new Series(10);
    for (let minute = 0; minute < 3000; minute += 1) series.push(at(minute * 60));
    const day = series.read('day', 3000 * 60);
    expect(day.length).toBeLessThanOrEqual(1441);
    expect(day[0]!.at).toBeGreaterThanOrEqual(3000 * 60 - 86_400);
  });

  const marks = { cpu: 0.05, network: 2048, gpu: 0.05 };
  const measured = (minutes: number, more: Partial<Measured> = {}): Measured => ({
    ...at(minutes * 60, 0.01),
    ...more,
  });

  it('knows since when it was quiet', () => {
    const series = new Series(10);
    expect(series.quietSince(marks)).toBeUndefined();
    for (let minute = 0; minute < 60; minute += 1) series.push(measured(minute, minute === 20 ? { sent: 5000 } : {}));
    expect(series.quietSince(marks)).toBe(21 * 60);
    series.push(measured(60, { gpu: 0.5 }));
    expect(series.quietSince(marks)).toBeUndefined();
  });

  it('takes a time that was not measured for use', () => {
    const series = new Series(10);
    for (const minute of [0, 1, 2, 3, 10, 11, 12]) series.push(measured(minute));
    expect(series.quietSince(marks)).toBe(600);
  });
});
