import { describe, expect, it } from 'vitest';
import { allOf, searchFilter } from './record-choices';

describe('filters of a picker', () => {
  it('joins the parts that say something, alternatives in brackets', () => {
    expect(allOf('template = false', undefined, '', "a = 1 || b ~ 'x'")).toBe("template = false && (a = 1 || b ~ 'x')");
    expect(allOf('', undefined)).toBe('');
  });

  it('searches each field for the text, quotes and all', () => {
    expect(searchFilter(['name', 'username'], "o'hara")).toBe("name ~ 'o\\'hara' || username ~ 'o\\'hara'");
  });

  it('asks for everything while nothing is typed', () => {
    expect(searchFilter(['name'], '')).toBe('');
  });
});
