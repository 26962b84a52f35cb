import 'server-only';
import { z } from 'zod';
import { settingsTable } from '@/db/schema/settings';
import { keptUntilChange } from '@/lib/records/kept-value';
import { StoreReader } from '@/lib/records/transaction';
import { timeLimits } from '@/lib/vocabulary/time-limits';

export const TIMES_KEY = 'times';

const { idleMinutesMin, idleMinutesMax, deleteDaysMin, deleteDaysMax, keepHoursMax } = timeLimits;

/** 0, or a whole number within bounds. */
function unsetOr(min: number, max: number) {
  const isIn = (value: number): boolean => value === 0 || (value >= min && value <= max);
  return z.int().refine(isIn, `Must be 0, or a whole number from ${min} to ${max}.`).default(0);
}
const idleMinutes = () => unsetOr(idleMinutesMin, idleMinutesMax);
const deleteDays = () => unsetOr(deleteDaysMin, deleteDaysMax);

/** What new workspaces begin with, and how far whoever is no admin may go; 0 is none. */
export const timesSettingSchema = z
  .strictObject({
    idleMinutesDefault: idleMinutes(),
    idleMinutesMax: idleMinutes(),
    deleteDaysDefault: deleteDays(),
    deleteDaysMax: deleteDays(),
    keepHoursMax: z.int().min(1).max(keepHoursMax).default(168),
    /** Less than that of a processor core, in hundredths, and of the network, in bytes a second, is no use. */
    quietCpuPercent: z.number().min(0.1).max(10_000).default(5),
    quietNetworkBytes: z.int().min(0).max(1_000_000_000).default(2048),
  })
  .superRefine((value, context) => {
    for (const name of ['idleMinutes', 'deleteDays'] as const) {
      const ceiling = value[`${name}Max`];
      if (ceiling === 0 || value[`${name}Default`] <= ceiling) continue;
      context.addIssue({ code: 'custom', path: [`${name}Default`], message: 'This is more than the ceiling.' });
    }
  });
export type TimesSetting = z.output<typeof timesSettingSchema>;

/** How the time of workspaces is bounded, as it is set now. */
export const timesSetting = keptUntilChange('times-setting', ['settings'], (): TimesSetting => {
  const [row] = new StoreReader().find({ name: 'settings', table: settingsTable }, { key: TIMES_KEY }, { limit: 1 });
  return timesSettingSchema.safeParse(row?.value ?? {}).data ?? timesSettingSchema.parse({});
});
