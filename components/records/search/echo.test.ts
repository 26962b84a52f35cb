import { describe, expect, it } from 'vitest';
import { stillUnheard } from './echo';

describe('a value that comes back to who told it', () => {
  it('is heard with all that was told before it', () => {
    expect(stillUnheard(['a', 'ab', 'abc'], 'ab')).toEqual(['abc']);
    expect(stillUnheard(['a'], 'a')).toEqual([]);
  });

  it('is another where it was not told, or was heard already', () => {
    expect(stillUnheard([], 'a')).toBeUndefined();
    expect(stillUnheard(['ab'], '')).toBeUndefined();
    expect(stillUnheard(stillUnheard(['a', 'ab'], 'ab')!, 'a')).toBeUndefined();
  });
});
