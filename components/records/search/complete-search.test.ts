import { describe, expect, it } from 'vitest';
import { limits } from '@/lib/vocabulary/limits';
import { completeSearch, keysLike, spotAt } from './complete-search';
import { fieldTerm, ownerTerm, tagTerm } from './search-terms';

const keys = [
  { ...ownerTerm('ann'), key: 'owner', label: 'Owner', values: [{ value: 'me', label: 'Me' }] },
  { ...fieldTerm('status'), key: 'status', label: 'Állapot', values: [] },
  { ...tagTerm, key: 'tag', label: 'Tag', values: [] },
];
const take = (text: string, picked: string, caret = text.length) =>
  completeSearch(text, spotAt(text, caret, keys)!, picked);

describe('what is typed at the caret', () => {
  it.each([
    ['', 0, { kind: 'key', typed: '' }],
    ['ow', 2, { kind: 'key', typed: 'ow' }],
    ['-ta', 3, { kind: 'key', typed: 'ta' }],
    ['web ', 4, { kind: 'key', typed: '' }],
    ['tag:co x', 6, { kind: 'value', typed: 'co' }],
    ['nothing:co', 10, undefined],
  ])('in %j at %i is %j', (text, caret, spot) => {
    const found = spotAt(text, caret, keys);
    if (spot) expect(found).toMatchObject(spot);
    else expect(found).toBeUndefined();
  });

  it('begins a key, or what the key is called', () => {
    expect(keysLike('', keys)).toHaveLength(3);
    expect(keysLike('OW', keys).map(({ key }) => key)).toEqual(['owner']);
    expect(keysLike('áll', keys).map(({ key }) => key)).toEqual(['status']);
  });

  it.each([
    ['ow', 'owner', 2, { text: 'owner:', caret: 6 }],
    ['-ta', 'tag', 3, { text: '-tag:', caret: 5 }],
    ['web ', 'tag', 4, { text: 'web tag:', caret: 8 }],
    ['tag:co', 'course a', 6, { text: 'tag:"course a" ', caret: 15 }],
    ['-tag:co web', 'course', 7, { text: '-tag:course web', caret: 12 }],
    ['web', 'tag', 0, { text: 'tag: web', caret: 4 }],
    ['a  web', 'tag', 3, { text: 'a  tag: web', caret: 7 }],
    ['a  web', 'tag', 2, { text: 'a tag: web', caret: 6 }],
  ])('%j with %j taken', (text, picked, caret, then) => {
    expect(take(text, picked, caret)).toEqual(then);
  });

  it('is not taken where the search would be too long to stand in an address', () => {
    const most = 'x'.repeat(limits.searchLength - ' tag:ab'.length);
    expect(take(`${most} tag:a`, 'ab').text.trim()).toHaveLength(limits.searchLength);
    expect(take(`${most} tag:a`, 'abc')).toEqual({ text: `${most} tag:a`, caret: most.length + 6 });
  });
});
