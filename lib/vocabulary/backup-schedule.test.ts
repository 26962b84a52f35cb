import { describe, expect, it } from 'vitest';
import { type BackupSchedule, backupScheduleSchema, nextBackupMs } from './backup-schedule';

const base: BackupSchedule = backupScheduleSchema.parse({
  every: 'day',
  at: '03:30',
  timeZone: 'Europe/Budapest',
  keep: 3,
});
const next = (schedule: Partial<BackupSchedule>, after: string): string =>
  new Date(nextBackupMs({ ...base, ...schedule }, Date.parse(after))).toISOString();

describe('the next backup', () => {
  it.each([
    ['today where it is still to come', {}, '2026-01-10T01:00:00Z', '2026-01-10T02:30:00.000Z'],
    ['tomorrow where it is now', {}, '2026-01-10T02:30:00Z', '2026-01-11T02:30:00.000Z'],
    ['on the clock of the zone in summer', {}, '2026-07-10T02:00:00Z', '2026-07-11T01:30:00.000Z'],
    ['on the day that clocks go forward', { at: '02:30' }, '2026-03-28T12:00:00Z', '2026-03-29T01:30:00.000Z'],
    ['on the day that clocks go back', { at: '02:30' }, '2026-10-24T12:00:00Z', '2026-10-25T00:30:00.000Z'],
    ['on its weekday', { every: 'week', weekday: 3 }, '2026-01-10T12:00:00Z', '2026-01-14T02:30:00.000Z'],
    [
      'in a week where it was just now',
      { every: 'week', weekday: 6 },
      '2026-01-10T02:30:00Z',
      '2026-01-17T02:30:00.000Z',
    ],
    ['so many hours later', { every: 'hours', hours: 6 }, '2026-01-10T12:10:00Z', '2026-01-10T18:10:00.000Z'],
    [
      'where the day is another',
      { timeZone: 'Pacific/Auckland', at: '00:10' },
      '2026-01-10T23:00:00Z',
      '2026-01-11T11:10:00.000Z',
    ],
  ] as const)('is %s', (_, schedule, after, expected) => {
    expect(next(schedule, after)).toBe(expected);
  });
});

it.each([
  { every: 'month', keep: 1 },
  { every: 'day', keep: 0 },
  { every: 'day', keep: 101 },
  { every: 'day', at: '24:00', keep: 1 },
  { every: 'hours', hours: 0, keep: 1 },
  { every: 'day', timeZone: 'Nowhere/Land', keep: 1 },
  { every: 'day', keep: 1, more: true },
])('refuses %j', (schedule) => {
  expect(backupScheduleSchema.safeParse(schedule).success).toBe(false);
});
