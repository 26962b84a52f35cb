import { expect, it } from 'vitest';
import { bytesIn, initialsOf, spanIn } from './format';

const SHORT = { seconds: 's', minutes: 'min', hours: 'h' };
const bytesText = ({ count, unit }: ReturnType<typeof bytesIn>) => `${count} ${unit}`;

it.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1536, '1.5 KB'],
  [10 * 1024 ** 2, '10 MB'],
  [3 * 1024 ** 4, '3 TB'],
  [5000 * 1024 ** 4, '5000 TB'],
])('%i bytes are %s', (bytes, text) => expect(bytesText(bytesIn(bytes))).toBe(text));

it.each([
  [0, '0 s'],
  [400, '0.4 s'],
  [41_000, '41 s'],
  [84_000, '1 min 24 s'],
  [120_000, '2 min'],
  [7_500_000, '2 h 5 min'],
  [7_200_000, '2 h'],
])('%i ms are %s', (ms, text) =>
  expect(
    spanIn(ms)
      .map(({ count, unit }) => `${count} ${SHORT[unit]}`)
      .join(' '),
  ).toBe(text),
);

it.each([
  ['Mara Lindqvist', 'ML'],
  ['Ann-Marie van Nagy', 'AV'],
  ['pytorch-lab', 'P'],
  ['émile zola', 'ÉZ'],
  ['𝒜lan', '𝒜'],
  ['  ', 'N/A'],
])('the initials of "%s" are %s', (name, initials) => expect(initialsOf(name)).toBe(initials));
