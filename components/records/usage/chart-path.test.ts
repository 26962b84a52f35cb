import { describe, expect, it } from 'vitest';
import { areaPath, linePath, roundUp } from './chart-path';

const frame = { from: 0, to: 100, top: 10, stepSeconds: 10, gapSteps: 3 };

describe('a chart', () => {
  it('draws a line, broken where values are missing', () => {
    expect(linePath([0, 10, 100], [0, 10, 5], frame)).toBe('M0 56L30 0M300 28h0');
    expect(areaPath([0, 10, 100], [0, 10, 5], frame)).toBe('M0 56L0 56L30 0L30 56ZM300 56L300 28L300 56Z');
    expect(linePath([], [], frame)).toBe('');
  });

  it('is broken sooner where its values stand at steady times', () => {
    const month = { from: 0, to: 14_400, top: 10, stepSeconds: 7200, gapSteps: 1.5 };
    expect(linePath([0, 14_400], [5, 5], month)).toBe('M0 28h0M300 28h0');
    expect(linePath([0, 7200, 14_400], [5, 5, 5], month)).toBe('M0 28L150 28L300 28');
  });

  it('draws nothing where a value is not known', () => {
    expect(linePath([0, 10, 20, 30], [-1, 10, -1, 5], frame)).toBe('M30 0h0M90 28h0');
    expect(areaPath([0, 10, 20, 30], [5, -1, 5, 5], frame)).toBe('M0 56L0 28L0 56ZM60 56L60 28L90 28L90 56Z');
  });

  it('keeps what is above its top at the top', () => {
    expect(linePath([50], [99], frame)).toBe('M150 0h0');
  });

  it('has a round number at its top', () => {
    expect([0, 0.03, 0.4, 1, 1.2, 3, 7].map((value) => roundUp(value))).toEqual([0.1, 0.05, 0.5, 1, 2, 5, 10]);
    expect([0, 700, 1500, 300 * 1024 ** 2].map((value) => roundUp(value, 1024))).toEqual([
      1024,
      1000,
      2 * 1024,
      500 * 1024 ** 2,
    ]);
  });
});
