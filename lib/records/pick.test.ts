import { describe, expect, test } from 'vitest';
import { AppError } from '@/lib/errors';
import { parseFields } from './pick';

const record = {
  id: '1',
  name: '<p>Some <b>text</b> &amp; more</p><script>x</script>',
  list: [{ a: 1, b: 2 }],
  expand: { host: { name: 'h', id: '2' } },
};

const excerptOf = (html: string, max = 200): unknown =>
  (parseFields(`html:excerpt(${max})`)!({ html }) as { html: string }).html;

describe('excerpts', () => {
  test.each([
    ['a < b > c', 'a < b > c'],
    ['1<2 &lt;b&gt;', '1<2 <b>'],
    ['<a title="x > y" rel=\'z>\'>link</a>', 'link'],
    [
      '&eacute;&hellip;&mdash;&Omega;&euro; &copy 2024 &amp;amp; &nope; &#233;&#x1F600;&#128;&#0;',
      'é…—Ω€ © 2024 &amp; &nope; é😀€\ufffd',
    ],
    ['<h1>One</h1><p>two<br>three</p>  four', 'One twothree four'],
    ['a<b>b</b><u>c</u>', 'ab c'],
    ['a<!-- > x -->b<!doctype y>c<?z?>d', 'abcd'],
    ['a<script>"</scrip>"</script>b<style>x', 'ab'],
    ['a<form><form>x</form>y</form>b<img alt=">">c', 'abc'],
    ['a <b', 'a'],
    ['a</>b', 'ab'],
  ])('%s', (html, text) => expect(excerptOf(html)).toBe(text));

  test('a character of several bytes is left out whole', () => expect(excerptOf('aéé', 4)).toBe('aé'));

  test('takes time in step with the length', () => {
    for (const piece of ['<', '<a ', '<form>', '</', '<!--', '&amp', '<b x="', '<script>', '&', '< <']) {
      const begin = performance.now();
      excerptOf(piece.repeat(200_000), 100_000_000);
      expect([piece, performance.now() - begin < 1500]).toEqual([piece, true]);
    }
  });
});

describe('fields', () => {
  test.each([
    ['id', { id: '1' }],
    ['id, list.a', { id: '1', list: [{ a: 1 }] }],
    ['*,expand.host.name', { ...record, expand: { host: { name: 'h' } } }],
    ['expand,expand.host.name', { expand: record.expand }],
    ['nope', {}],
    ['name:excerpt(9)', { name: 'Some text' }],
    ['name:excerpt(6, true)', { name: 'Some t...' }],
    ['name:excerpt(100,true)', { name: 'Some text & more' }],
  ])('%s', (fields, expected) => expect(parseFields(fields)!(record)).toEqual(expected));

  test.each(['name:excerpt(0)', 'name:excerpt()', 'name:upper', 'name:excerpt(a)'])('refuses %s', (fields) =>
    expect(() => parseFields(fields)).toThrow(AppError),
  );

  test('nothing named keeps all', () => expect(parseFields(' ')).toBeUndefined());
});
