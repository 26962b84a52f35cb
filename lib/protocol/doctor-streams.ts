import { z } from 'zod';

/** A look at the host and its way to the console, by its agent. Answered with one JSON text. */
export const openDoctorSchema = z.object({ kind: z.literal('doctor') });

export const FINDING_STATES = ['ok', 'warning', 'failed', 'skipped'] as const;

const words = z.string().max(2000);

export const findingSchema = z.object({
  /** What was looked at, in a word or two. */
  check: z.string().max(100),
  state: z.enum(FINDING_STATES),
  /** What was found, or why nobody looked. */
  found: words,
  /** What to do, with the commands for it; empty where nothing is to be done. */
  cure: words,
});
export type Finding = z.infer<typeof findingSchema>;

export const doctorReportSchema = z.object({ findings: z.array(findingSchema).max(100) });
export type DoctorReport = z.infer<typeof doctorReportSchema>;
