import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSearch, writeValue } from './read-search';

const read = (text: string) => readSearch(text).map(({ key, isNot, value }) => ({ key, isNot, value }));

describe('the pieces of a search', () => {
  it.each([
    ['', []],
    ['  ', []],
    ['web', [{ isNot: false, value: 'web' }]],
    ['owner:me', [{ key: 'owner', isNot: false, value: 'me' }]],
    ['-Tag:x', [{ key: 'tag', isNot: true, value: 'x' }]],
    [
      'owner:"Ann B" x',
      [
        { key: 'owner', isNot: false, value: 'Ann B' },
        { isNot: false, value: 'x' },
      ],
    ],
    [
      '"a b" c',
      [
        { isNot: false, value: 'a b' },
        { isNot: false, value: 'c' },
      ],
    ],
    ['tag:', [{ key: 'tag', isNot: false, value: '' }]],
    ['tag:"open end', [{ key: 'tag', isNot: false, value: 'open end' }]],
    ['-web', [{ isNot: false, value: '-web' }]],
    ['tag:a:b/c', [{ key: 'tag', isNot: false, value: 'a:b/c' }]],
    ['10:20', [{ isNot: false, value: '10:20' }]],
    ["it's", [{ isNot: false, value: "it's" }]],
  ])('of %j are %j', (text, pieces) => {
    expect(read(text)).toEqual(pieces);
  });

  it('cover all of any text but its blanks, in order, and end', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab:"- \t\'\\%_é😀'), maxLength: 60 }), (text) => {
        let at = 0;
        for (const { raw, start, end } of readSearch(text)) {
          expect(text.slice(at, start).trim()).toBe('');
          expect(text.slice(start, end)).toBe(raw);
          expect(end).toBeGreaterThan(start);
          at = end;
        }
        expect(text.slice(at).trim()).toBe('');
      }),
    );
  });

  it('have the value that was written behind a key', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 30 }), (value) => {
        const plain = value.replaceAll('"', '');
        expect(read(`-tag:${writeValue(plain)} x`)).toEqual([
          { key: 'tag', isNot: true, value: plain },
          { key: undefined, isNot: false, value: 'x' },
        ]);
      }),
    );
  });
});
