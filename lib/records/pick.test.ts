import { describe, expect, test } from 'vitest';
import { AppError } from '@/lib/errors';
import { parseFields } from './pick';

const record = {
  id: '1',
  name: '<p>Some <b>text</b> &amp; more</p><script>x</script>',
  list: [{ a: 1, b: 2 }],
  expand: { host: { name: 'h', id: '2' } },
};

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
