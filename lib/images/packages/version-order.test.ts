import { describe, expect, it } from 'vitest';
import { latestOf, newestFirst } from './version-order';

describe('versions', () => {
  it('are in the order in which they were made', () => {
    const ordered = [
      '1!0.1',
      '2024.10.0',
      '10.0',
      '2.0.post1',
      '2.0+cu121',
      '2.0',
      '2.0rc2',
      '2.0rc1',
      '2.0b1',
      '2.0a3',
      '2.0.dev5',
      '1.10',
      '1.9.1',
      '1.9',
      '0.9',
    ];
    for (const seed of [3, 7, 11]) {
      const mixed = [...ordered].sort((a, b) => ((a.length * seed) % 5) - ((b.length * seed) % 5) || (a < b ? -1 : 1));
      expect(newestFirst(mixed)).toEqual(ordered);
    }
  });

  it('that come to the same stay', () => {
    expect(newestFirst(['1.0', '1.0.0', '1'])).toEqual(['1.0', '1.0.0', '1']);
  });

  it('have a latest that is no early one, where there is any', () => {
    expect(latestOf(newestFirst(['1.0', '2.0rc1']))).toBe('1.0');
    expect(latestOf(['2.0rc1', '2.0a1'])).toBe('2.0rc1');
    expect(latestOf([])).toBe('');
  });

  it('that are none are put somewhere', () => {
    expect(newestFirst(['', '???', 'latest', '1.0'])).toHaveLength(4);
  });
});
