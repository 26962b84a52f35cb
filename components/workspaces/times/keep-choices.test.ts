import { expect, it } from 'vitest';
import { keepChoices } from './keep-choices';

const evening = new Date(2026, 2, 2, 18, 0).getTime();
const morning = new Date(2026, 2, 3, 9, 0);

it.each([
  [undefined, [1, 4], morning],
  [168, [1, 4], morning],
  [15, [1, 4], morning],
  [14, [1, 4], undefined],
  [4, [1, 4], undefined],
  [3, [1], undefined],
  [1, [1], undefined],
])('offers what %s hours allow', (max, hours, tomorrow) => {
  expect(keepChoices(evening, max)).toEqual({ hours, tomorrow });
});
