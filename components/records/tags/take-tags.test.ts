import { describe, expect, it } from 'vitest';
import { tagLimits } from '@/lib/vocabulary/tags';
import { takeTags } from './take-tags';

const full = Array.from({ length: tagLimits.perRecord }, (_, index) => `t${index}`);

describe('what was typed, as tags', () => {
  it('is spelled and put behind those that there are, each once', () => {
    expect(takeTags(['a'], [' B ', 'b', 'A', ''])).toEqual({
      tags: ['a', 'b'],
      added: ['b'],
      left: [],
      problem: undefined,
    });
  });

  it('stays where it is no tag, or none to choose', () => {
    expect(takeTags([], ['a', '100%'])).toEqual({ tags: ['a'], added: ['a'], left: ['100%'], problem: 'invalidTag' });
    expect(takeTags([], ['a', 'b'], ['b'])).toMatchObject({ tags: ['b'], left: ['a'], problem: 'invalidTag' });
  });

  it('finds no room where a record has all that it may have', () => {
    expect(takeTags(full, ['one'])).toEqual({ tags: full, added: [], left: [], problem: 'tooManyTags' });
    expect(takeTags(full, ['t0']).problem).toBeUndefined();
    expect(takeTags(full.slice(1), ['x', 'y'])).toMatchObject({ added: ['x'], problem: 'tooManyTags' });
  });
});
