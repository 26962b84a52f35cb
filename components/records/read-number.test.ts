import { expect, it } from 'vitest';
import { readNumber } from './read-number';

it.each([
  ['', null],
  [' 12 ', 12],
  ['1.5', 1.5],
  ['soon', NaN],
  [7, 7],
  [null, null],
])('reads %j as %s', (typed, number) => expect(readNumber(typed)).toBe(number));
