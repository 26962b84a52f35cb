import { describe, expect, it } from 'vitest';
import { acceptedLanguage, languageOf } from './languages';

describe('the language of a tag', () => {
  it.each([
    ['hu', 'hu'],
    ['hu-HU', 'hu'],
    ['EN_us', 'en'],
    ['hungarian', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%j is %j', (tag, language) => expect(languageOf(tag)).toBe(language));
});

describe('the language that a browser asks for', () => {
  it.each([
    ['hu-HU,hu;q=0.9,en;q=0.8', 'hu'],
    ['de-DE,de;q=0.9,hu;q=0.5,en;q=0.4', 'hu'],
    ['en;q=0.2, hu;q=0.7', 'hu'],
    ['hu;q=0, en;q=0.1', 'en'],
    ['en-GB', 'en'],
    ['fr', undefined],
    ['*', undefined],
    ['hu;q=nonsense', 'hu'],
    ['', undefined],
    [null, undefined],
  ])('%j gives %j', (header, language) => expect(acceptedLanguage(header)).toBe(language));

  it('is found in a header of any length at once', () => {
    expect(acceptedLanguage(`${'fr,'.repeat(100_000)}hu`)).toBeUndefined();
  });
});
