import { expect, test } from 'vitest';
import { MOST_KB, pageWeights } from '../../bench/weight';

const weights = pageWeights();

test.each([...weights])('the first load of %s keeps to its budget', (page, weight) => {
  expect(weight, `${weight.toFixed(1)} KB of gzip`).toBeLessThanOrEqual(MOST_KB[page] ?? 0);
});

test('no budget is left of a page that is gone', () => {
  expect(Object.keys(MOST_KB).filter((page) => !weights.has(page))).toEqual([]);
});
