import { expect, it } from 'vitest';
import { parseAnsi, plainText } from './ansi';

const esc = '\u001b';

it('cuts a line into parts of one look each', () => {
  expect(parseAnsi(`a${esc}[31mb${esc}[1mc${esc}[0md`)).toEqual([
    { text: 'a', className: '' },
    { text: 'b', className: 'text-ansi-red' },
    { text: 'c', className: 'text-ansi-red font-semibold' },
    { text: 'd', className: '' },
  ]);
});

it.each([
  ['bright', `${esc}[92mok`, 'text-ansi-green'],
  ['underlined', `${esc}[4mok`, 'underline'],
])('takes a look that is %s', (_, text, className) => expect(parseAnsi(text)).toEqual([{ text: 'ok', className }]));

it.each([
  ['of a palette', `${esc}[38;5;208mok`, { color: 'color-mix(in oklab, rgb(255, 135, 0) 65%, var(--color-text))' }],
  ['a grey', `${esc}[38;5;232mok`, { color: 'color-mix(in oklab, rgb(8, 8, 8) 65%, var(--color-text))' }],
  ['given as it is', `${esc}[48;2;1;2;3mok`, { backgroundColor: 'color-mix(in oklab, rgb(1, 2, 3) 25%, transparent)' }],
])('takes a colour that is %s', (_, text, style) =>
  expect(parseAnsi(text)).toEqual([{ text: 'ok', className: '', style }]),
);

it.each([
  ['a cursor', `${esc}[2K${esc}[1Gdone`],
  ['a title', `${esc}]0;title\u0007done`],
  ['a link', `${esc}]8;;https://example.org${esc}\\done${esc}]8;;${esc}\\`],
  ['colours', `${esc}[1;31mdone${esc}[0m`],
])('shows nothing of %s', (_, text) => {
  expect(parseAnsi(text).map((part) => part.text)).toEqual(['done']);
  expect(plainText(text)).toBe('done');
});

it('leaves a plain text alone, what looks like markup too', () => {
  expect(parseAnsi('<b>&amp;</b>')).toEqual([{ text: '<b>&amp;</b>', className: '' }]);
  expect(parseAnsi(`${esc}[31m<b>`)).toEqual([{ text: '<b>', className: 'text-ansi-red' }]);
});
