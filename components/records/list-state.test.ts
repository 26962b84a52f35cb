import { describe, expect, it } from 'vitest';
import { limits } from '@/lib/vocabulary/limits';
import { parseListState } from './list-state';

const parse = (address: string) => parseListState(new URLSearchParams(address), ['owner', 'host']);

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

  it.each([['page=-1'], ['page=x'], ['perPage=7'], ['sort=name;drop'], [`search=${'x'.repeat(201)}`], ['owner=']])(
    'falls back for %s',
    (address) => {
      expect(parse(address)).toEqual(parse(''));
    },
  );
});
