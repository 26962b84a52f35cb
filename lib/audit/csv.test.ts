import { describe, expect, it } from 'vitest';
import { toCsvLine } from './csv';

describe('a CSV line', () => {
  it('quotes every cell and doubles quotes inside', () => {
    expect(toCsvLine(['a', 'b "c", d', 'e\nf', ''])).toBe('"a","b ""c"", d","e\nf",""\r\n');
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '  =1', '|cmd', '%0A', '＝1', '＠x'])(
    'keeps a spreadsheet from running %j',
    (text) => {
      expect(toCsvLine([text])).toBe(`"'${text}"\r\n`);
    },
  );

  it.each(['2026-11-21 10:00:00.000Z', '192.0.2.1', '{1}', 'a=b'])('leaves %j as it is', (text) => {
    expect(toCsvLine([text])).toBe(`"${text}"\r\n`);
  });
});
