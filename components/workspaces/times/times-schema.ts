import { z } from 'zod';
import type { WorkspaceRecord } from '@/components/data/types';
import type { WorkspaceSchedule } from '@/lib/vocabulary/workspace-times';
import { timeLimits } from '@/lib/vocabulary/time-limits';

const { idleMinutesMin, idleMinutesMax, deleteDaysMin, deleteDaysMax } = timeLimits;

/** A whole number as it is typed, empty for never. */
const countSchema = (message: string, min: number, max: number) =>
  z
    .string()
    .trim()
    .refine((text) => text === '' || (/^\d+$/.test(text) && Number(text) >= min && Number(text) <= max), message);

const entrySchema = z.object({ isOn: z.boolean(), at: z.string(), weekdays: z.array(z.number()) });
type Entry = z.infer<typeof entrySchema>;

const scheduleSchema = z
  .object({ timeZone: z.string().trim(), start: entrySchema, stop: entrySchema })
  .superRefine((schedule, context) => {
    for (const name of ['start', 'stop'] as const) {
      const { isOn, at, weekdays } = schedule[name];
      if (isOn && at === '') context.addIssue({ code: 'custom', path: [name, 'at'], message: 'required' });
      if (isOn && weekdays.length === 0)
        context.addIssue({ code: 'custom', path: [name, 'weekdays'], message: 'pleaseSelectAtLeastOne' });
    }
    const isOn = schedule.start.isOn || schedule.stop.isOn;
    if (isOn && schedule.timeZone === '') context.addIssue({ code: 'custom', path: ['timeZone'], message: 'required' });
  });

/** The fields of the workspace form that are about time. */
export const timesShape = {
  idleMinutes: countSchema('idleMinutesRange', idleMinutesMin, idleMinutesMax),
  deleteAfterDays: countSchema('deleteDaysRange', deleteDaysMin, deleteDaysMax),
  schedule: scheduleSchema,
};
type TimesValues = { [Key in keyof typeof timesShape]: z.infer<(typeof timesShape)[Key]> };

const WORKDAYS = [1, 2, 3, 4, 5];
const entry = (at: string): Entry => ({ isOn: false, at, weekdays: WORKDAYS });

export const emptyTimes: TimesValues = {
  idleMinutes: '',
  deleteAfterDays: '',
  schedule: { timeZone: '', start: entry('08:00'), stop: entry('18:00') },
};

const shown = (count: number): string => (count > 0 ? String(count) : '');

export function timesValues({
  idleMinutes,
  deleteAfterDays,
  schedule,
}: Pick<WorkspaceRecord, 'idleMinutes' | 'deleteAfterDays' | 'schedule'>): TimesValues {
  const empty = emptyTimes.schedule;
  return {
    idleMinutes: shown(idleMinutes),
    deleteAfterDays: shown(deleteAfterDays),
    schedule: {
      timeZone: schedule?.timeZone ?? '',
      start: schedule?.start ? { isOn: true, ...schedule.start } : empty.start,
      stop: schedule?.stop ? { isOn: true, ...schedule.stop } : empty.stop,
    },
  };
}

const wireEntry = ({ isOn, at, weekdays }: Entry) => (isOn ? { at, weekdays } : null);

export function timesBody({ idleMinutes, deleteAfterDays, schedule }: TimesValues): {
  idleMinutes: number;
  deleteAfterDays: number;
  schedule: WorkspaceSchedule | null;
} {
  const { timeZone, start, stop } = schedule;
  const wire = { timeZone, start: wireEntry(start), stop: wireEntry(stop) };
  return {
    idleMinutes: Number(idleMinutes || 0),
    deleteAfterDays: Number(deleteAfterDays || 0),
    schedule: wire.start || wire.stop ? wire : null,
  };
}
