import type { Readable } from 'node:stream';
import { z } from 'zod';
import { readLines } from './lines';

const progressLineSchema = z.object({
  id: z.string().optional(),
  stream: z.string().optional(),
  status: z.string().optional(),
  error: z.string().optional(),
  errorDetail: z.object({ message: z.string().optional() }).optional(),
  progressDetail: z.object({ current: z.number().optional(), total: z.number().optional() }).nullish(),
  aux: z.unknown().optional(),
});
export type ProgressLine = z.infer<typeof progressLineSchema>;

/** The progress of a build, pull or push: one JSON object a line. Lines of another shape are left out. */
export async function* readProgress(stream: Readable): AsyncGenerator<ProgressLine> {
  for await (const line of readLines(stream)) {
    if (line.trim() === '') continue;
    const parsed = progressLineSchema.safeParse(JSON.parse(line));
    if (parsed.success) yield parsed.data;
  }
}
