import { expect, it } from 'vitest';
import { readLogAddress, writeLogAddress } from './log-address';

it.each([
  '',
  'search=no+disk&regex=1&case=1&not=1&only=1&levels=error%2Cwarn&span=1h&wrap=1&time=0',
  'line=100134&container=0123456789ab',
  'span=range&from=2026-11-22T08%3A00%3A00.000Z&to=2026-11-22T09%3A30%3A00.000Z',
  'ids=a23456789012345%2Cb23456789012345&search=x',
])('an address says the same when it is read and written: %s', (address) => {
  expect(writeLogAddress(readLogAddress(new URLSearchParams(address)))).toBe(address);
});

it.each([
  'line=-1',
  'line=x',
  'line=1.5',
  'span=1y',
  'levels=loud',
  'wrap=yes',
  'container=0123',
  'from=2026-11-22',
  'ids=a,%20b',
])('what an address says wrongly is left out: %s', (address) =>
  expect(writeLogAddress(readLogAddress(new URLSearchParams(address)))).toBe(''),
);

it('an address names each workspace once, and no more than are shown', () => {
  const id = (letter: string) => letter.padEnd(15, '0');
  const asked = ['a', 'a', 'b', 'c', 'd', 'e'].map(id).join(',');
  expect(readLogAddress(new URLSearchParams({ ids: asked })).ids).toEqual(['a', 'b', 'c', 'd'].map(id));
});
