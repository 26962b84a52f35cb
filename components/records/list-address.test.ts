import { describe, expect, it } from 'vitest';
import { limits } from '@/lib/vocabulary/limits';
import { correctAddress, pageInstead, parseListState } from './list-address';

const words = { filterKeys: ['owner', 'host'], sortKeys: ['name', 'updated'] };
const parse = (address: string) => parseListState(new URLSearchParams(address), words);

describe('the state of a list in the address', () => {
  it('is read with its filters', () => {
    expect(parse('search=db&page=2&sort=-name&owner=me&other=x')).toEqual({
      search: 'db',
      page: 2,
      perPage: limits.pageSizeDefault,
      sort: '-name',
      filters: { owner: 'me' },
    });
  });

  it.each([
    ['page=-1'],
    ['page=x'],
    ['perPage=7'],
    ['sort=name;drop'],
    ['sort=foo'],
    ['sort=--name'],
    [`search=${'x'.repeat(limits.searchLength + 1)}`],
    ['owner='],
  ])('falls back for %s', (address) => {
    expect(parse(address)).toEqual(parse(''));
  });

  it('is corrected in the address, which keeps what is right and what is not its own', () => {
    const correct = (address: string) => correctAddress(new URLSearchParams(address), parse(address)).toString();
    expect(correct('search=db&page=x&sort=-foo&owner=me&add=1')).toBe('search=db&owner=me&add=1');
    expect(correct('page=2&perPage=25&sort=-name')).toBe('page=2&perPage=25&sort=-name');
  });

  it.each([
    [0, 0, undefined],
    [0, 5, undefined],
    [1, 11, undefined],
    [1, 10, 0],
    [999, 45, 4],
    [3, 0, 0],
  ])('page %i of %i records becomes %s', (page, total, instead) => {
    expect(pageInstead({ page, perPage: 10 }, total)).toBe(instead);
  });
});
