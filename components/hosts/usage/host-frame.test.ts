import { describe, expect, it } from 'vitest';
import type { HostMetrics } from '@/components/data/types';
import { linePath } from '@/components/records/usage/chart-path';
import { hostFrame } from './host-frame';

const HOUR = 3600;

/** How many lines are drawn of values at these times. */
function linesOf(span: 'recent' | 'day' | 'month', stepSeconds: number, at: number[]): number {
  const frame = hostFrame({ at, stepSeconds } as HostMetrics, span, 1);
  return (
    linePath(
      at,
      at.map(() => 1),
      frame,
    ).split('M').length - 1
  );
}

describe('the charts of a host', () => {
  it('show that it was down, also where it was back within the next step but one', () => {
    // Down from 01:00 to 05:50.
    expect(linesOf('month', 2 * HOUR, [0, 4 * HOUR, 6 * HOUR])).toBe(2);
    expect(linesOf('day', 300, [0, 300, 900, 1200])).toBe(2);
    expect(linesOf('month', 2 * HOUR, [0, 2 * HOUR, 4 * HOUR])).toBe(1);
  });

  it('are not broken by a value that comes late', () => {
    expect(linesOf('recent', 10, [0, 10, 31, 40])).toBe(1);
    expect(linesOf('recent', 10, [0, 10, 50])).toBe(2);
  });
});
