import { expect, it } from 'vitest';
import { formatBytes, formatSpan, initialsOf } from './format';

it.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1536, '1.5 KB'],
  [10 * 1024 ** 2, '10 MB'],
  [3 * 1024 ** 4, '3 TB'],
  [5000 * 1024 ** 4, '5000 TB'],
])('%i bytes are %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text));

it.each([
  [0, '0 s'],
  [400, '0.4 s'],
  [41_000, '41 s'],
  [84_000, '1 min 24 s'],
  [120_000, '2 min'],
  [7_500_000, '2 h 5 min'],
  [7_200_000, '2 h'],
])('%i ms are %s', (ms, text) => expect(formatSpan(ms)).toBe(text));

it.each([
  ['Mara Lindqvist', 'ML'],
  ['Ann-Marie van Nagy', 'AV'],
  ['pytorch-lab', 'P'],
  ['émile zola', 'ÉZ'],
  ['𝒜lan', '𝒜'],
  ['  ', 'N/A'],
])('the initials of "%s" are %s', (name, initials) => expect(initialsOf(name)).toBe(initials));
