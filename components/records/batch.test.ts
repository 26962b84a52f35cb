import { expect, it } from 'vitest';
import { sortBatch } from './batch';

it('tells rows that an act may touch from those it skips, and each reason once', () => {
  const refusal = (row: number) => (row > 2 ? 'too large' : row === 0 ? 'nothing' : undefined);
  const stop = { key: 'stop', label: 'Stop', icon: null, run: () => undefined, refusal };
  const [sorted] = sortBatch([0, 1, 2, 3, 4], [stop]);
  expect(sorted).toEqual({ action: stop, able: [1, 2], skipped: 3, reasons: ['nothing', 'too large'] });
});
