import { describe, expect, it } from 'vitest';
import { allOf, searchFilter } from './filter-text';

describe('filters of a picker', () => {
  it('joins the parts that say something, alternatives in brackets', () => {
    expect(allOf('template = false', undefined, '', "a = 1 || b ~ 'x'")).toBe("template = false && (a = 1 || b ~ 'x')");
    expect(allOf('', undefined)).toBe('');
  });

  it('searches each field for the text, quotes and all', () => {
    expect(searchFilter(['name', 'username'], "o'hara")).toBe("name ~ 'o\\'hara' || username ~ 'o\\'hara'");
  });

  it('keeps what is typed as text, whatever it means elsewhere', () => {
    expect(searchFilter(['name', 'url'], "$&$'$`")).toBe("name ~ '$&$\\'$`' || url ~ '$&$\\'$`'");
    expect(searchFilter(['name', 'url'], '{:text}')).toBe("name ~ '{:text}' || url ~ '{:text}'");
    expect(searchFilter(['name'], 'a\\')).toBe("name ~ '%a\\\\%'");
  });

  it('asks for everything while nothing is typed', () => {
    expect(searchFilter(['name'], '')).toBe('');
  });
});
