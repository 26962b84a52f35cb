import { describe, expect, it } from 'vitest';
import { createMatcher, readableText } from '@/agent/streams/log-match';
import { makeLine } from '@/components/ui/log/log-line';
import { LogMatcher, openQuery } from '@/components/ui/log/log-query';

const LINES = [
  'ERROR no disk',
  'warning: slow',
  'debug: an error in words',
  'info ready',
  'TRACE of a notice',
  'plain words',
  '10 %\r50 %\r\u001b[32mdone\u001b[0m',
  '\u001b[31mfatal\u001b[0m: \u001b]0;title\u0007no title',
  `${' '.repeat(90)}error far behind`,
  'a.c',
  'abc',
  '',
];

describe('the search at the host and the one in the browser', () => {
  it('read lines alike', () => {
    expect(LINES.map(readableText)).toEqual(LINES.map((text) => makeLine(1, { text }).plain));
  });

  it.each([
    { pattern: 'a.c' },
    { pattern: 'ERR', isCaseSensitive: true },
    { pattern: 'a.c', isRegex: true },
    { pattern: 'error', isInverted: true },
    { pattern: 'o', levels: ['error', 'debug'] as const },
    { pattern: '^$', isRegex: true },
    { pattern: 'e', levels: ['info', 'warn'] as const, isInverted: true },
  ])('find alike: %j', (asked) => {
    const query = { ...openQuery, ...asked };
    const matcher = new LogMatcher(query);
    const lines = LINES.map((text, index) => makeLine(index, { text }));
    const here = lines.map((line) => matcher.hasLevel(line) && matcher.isHit(line));
    expect(createMatcher({ ...query, levels: [...query.levels] })(LINES)).toEqual(here);
    expect(here.filter(Boolean).length).toBeGreaterThan(0);
  });

  it.each(['error', 'warn', 'info', 'debug'] as const)('take the same lines for %s', (level) => {
    const query = { ...openQuery, levels: [level] };
    const here = LINES.map((text) => makeLine(1, { text }).level === level);
    expect(createMatcher({ ...query, levels: [level] })(LINES)).toEqual(here);
  });
});
