import { describe, expect, it } from 'vitest';
import { isTimeZone, momentOf, timesAround } from './zoned-time';

const iso = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms).toISOString());
const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6];

describe('a moment of a zone’s clock', () => {
  it.each([
    ['an ordinary time', 'Europe/Budapest', '2026-07-01T18:00Z', '2026-07-01T16:00:00.000Z'],
    ['skipped in spring: an hour later', 'Europe/Budapest', '2026-03-29T02:30Z', '2026-03-29T01:30:00.000Z'],
    ['twice in autumn: the first', 'Europe/Budapest', '2026-10-25T02:30Z', '2026-10-25T00:30:00.000Z'],
    ['west of UTC in spring', 'America/New_York', '2026-03-08T02:30Z', '2026-03-08T07:30:00.000Z'],
    ['west of UTC in autumn', 'America/New_York', '2026-11-01T01:30Z', '2026-11-01T05:30:00.000Z'],
    ['a change of half an hour', 'Australia/Lord_Howe', '2026-10-04T02:15Z', '2026-10-03T15:45:00.000Z'],
    ['a day before UTC', 'Pacific/Kiritimati', '2026-01-01T08:00Z', '2025-12-31T18:00:00.000Z'],
  ])('is right for %s', (_, zone, shown, expected) => {
    expect(iso(momentOf(zone, Date.parse(shown)))).toBe(expected);
  });

  it.each([
    ['Europe/Budapest', true],
    ['UTC', true],
    ['US/Eastern', true],
    ['+02:00', false],
    ['', false],
    ['Mars/Olympus', false],
  ])('knows whether %s is a zone', (name, is) => {
    expect(isTimeZone(name)).toBe(is);
  });
});

describe('a weekly time', () => {
  const around = (at: string, weekdays: number[], zone: string, now: string) => {
    const found = timesAround({ at, weekdays }, zone, Date.parse(now));
    return [iso(found?.last), iso(found?.next)];
  };

  it('keeps its place on the clock through both changes', () => {
    expect(around('18:00', EVERY_DAY, 'Europe/Budapest', '2026-03-29T00:00Z')).toEqual([
      '2026-03-28T17:00:00.000Z',
      '2026-03-29T16:00:00.000Z',
    ]);
    expect(around('18:00', EVERY_DAY, 'Europe/Budapest', '2026-10-25T00:00Z')).toEqual([
      '2026-10-24T16:00:00.000Z',
      '2026-10-25T17:00:00.000Z',
    ]);
  });

  it('comes once on the day on which its time is there twice', () => {
    expect(around('02:30', EVERY_DAY, 'Europe/Budapest', '2026-10-25T00:30Z')).toEqual([
      '2026-10-25T00:30:00.000Z',
      '2026-10-26T01:30:00.000Z',
    ]);
  });

  it('comes on its days alone, by the zone’s own calendar', () => {
    // Monday in Auckland begins on Sunday in UTC.
    expect(around('07:00', [1], 'Pacific/Auckland', '2026-06-10T12:00Z')).toEqual([
      '2026-06-07T19:00:00.000Z',
      '2026-06-14T19:00:00.000Z',
    ]);
    expect(around('07:00', [], 'UTC', '2026-06-10T12:00Z')).toEqual([undefined, undefined]);
  });
});
