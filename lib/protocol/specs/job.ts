import { z } from 'zod';

const jobBase = {
  imageId: z.string(),
  /** What the result is called on the host, `repository:tag`. */
  reference: z.string().min(1),
  timeoutMs: z.number().min(0),
  /** True once someone asked for it to stop. */
  cancel: z.boolean(),
};

/** Work that is done once. The id is the console's build id; a repeated delivery is not a second job. */
export const jobSpecSchema = z.discriminatedUnion('job', [
  z.object({
    job: z.literal('build'),
    ...jobBase,
    dockerfile: z.string(),
    /** Files of the build context besides the Dockerfile; content is base64. */
    files: z.array(z.object({ path: z.string(), mode: z.int(), content: z.string() })),
    pullBase: z.boolean(),
    pushAfterBuild: z.boolean(),
    labels: z.record(z.string(), z.string()),
  }),
  z.object({ job: z.literal('pull'), ...jobBase }),
  /** Removes an image that the console no longer knows. Missing is fine; in use is a failure. */
  z.object({ job: z.literal('remove-image'), ...jobBase, engineImageId: z.string() }),
]);
export type JobSpec = z.infer<typeof jobSpecSchema>;
