import { describe, expect, test } from 'vitest';
import { bool } from './bool';
import { date } from './date';
import { email } from './email';
import type { Field } from './field';
import { json } from './json';
import { number } from './number';
import { relation } from './relation';
import { select } from './select';
import { text } from './text';
import { url } from './url';

const many = relation('x', { max: 3 });

describe('casting', () => {
  test.each<[string, Field, unknown, unknown]>([
    ['text keeps digits', text(), '007', '007'],
    ['text of a number', text(), 5, '5'],
    ['text of a list', text(), ['a'], ''],
    ['number of a text', number(), '1.5', 1.5],
    ['number of no number', number(), 'x', 0],
    ['bool of t', bool(), 't', true],
    ['bool of yes', bool(), 'yes', false],
    ['date of ISO', date(), '2024-01-02T03:04:05Z', '2024-01-02 03:04:05.000Z'],
    ['date of a day', date(), '2024-01-02', '2024-01-02 00:00:00.000Z'],
    ['date with a zone', date(), '2024-01-02T03:04:05+02:00', '2024-01-02 01:04:05.000Z'],
    ['date of nothing', date(), 'soon', ''],
    ['a list as JSON text', many, '["a","b","a",""]', ['a', 'b']],
    ['the last of a list', relation('x'), ['a', 'b'], 'b'],
    ['JSON of a number text', json(), '12', 12],
    ['JSON of other text', json(), 'abc', 'abc'],
    ['JSON of broken JSON', json(), '{a}', '{a}'],
    ['JSON of null', json({ unset: [] }), null, []],
  ])('%s', (_, field, raw, expected) => expect(field.cast(raw)).toEqual(expected));
});

describe('checks', () => {
  test.each<[string, Field, unknown, string | undefined]>([
    ['too long', text({ max: 2 }), 'äöü', 'validation_max_text_constraint'],
    ['code points', text({ max: 2 }), '😀😀', undefined],
    ['too short', text({ min: 2 }), 'a', 'validation_min_text_constraint'],
    ['pattern', text({ pattern: /^a$/ }), 'b', 'validation_invalid_format'],
    ['decimal', number({ noDecimal: true }), 1.5, 'validation_no_decimal_constraint'],
    ['infinite', number(), Infinity, 'validation_nan'],
    ['below', number({ min: 2 }), 1, 'validation_min_number_constraint'],
    ['zero is unset', number({ min: 2 }), 0, undefined],
    ['no e-mail', email(), 'a@b', 'validation_invalid_email'],
    ['no url', url(), 'x', 'validation_invalid_url'],
    ['unknown choice', select({ values: ['a'] }), 'b', 'validation_invalid_value'],
    ['too many', many, ['a', 'b', 'c', 'd'], 'validation_too_many_values'],
    ['too large', json({ maxBytes: 3 }), 'abcdef', 'validation_json_size_limit'],
  ])('%s', (_, field, value, code) => expect((field.check(value) as { code: string } | undefined)?.code).toBe(code));
});
