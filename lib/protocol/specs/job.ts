import { z } from 'zod';
import { registryAuthSchema } from './host';

const jobBase = {
  imageId: z.string(),
  /** What the result is called on the host; for a pull, what it is called where it comes from. */
  reference: z.string().min(1),
  timeoutMs: z.number().min(0),
  /** True once someone asked for it to stop. */
  cancel: z.boolean(),
  /** Whose turn it takes where several people wait; opaque. */
  owner: z.string().optional(),
};

/** An image that a build starts from or copies from. */
export const baseImageSchema = z.object({
  /** Its name elsewhere, as people write it. */
  from: z.string().min(1),
  /** What the Dockerfile calls it: a name that only the agent gives. */
  tag: z.string().min(1),
  /**
   * Engine id of a build of this host, which is never taken from elsewhere; empty for an image of others. Left out beside a pin,
   * so that an agent that knows nothing of pins refuses the build.
   */
  id: z.string().optional(),
  /** The very image that it has to be: by its engine id, and by the digest that it may be pulled by, where that is known. */
  pin: z.object({ imageId: z.string().min(1), digest: z.string() }).optional(),
  /** Whether an image that someone gave this name on the host by hand will do. */
  local: z.boolean(),
  /** As in `linux/arm64`; empty for the engine's own. */
  platform: z.string(),
  account: registryAuthSchema.optional(),
});
export type BaseImageSpec = z.infer<typeof baseImageSchema>;

const contextFile = { path: z.string().min(1), mode: z.int() };

/** A file of a build's context besides the Dockerfile, and where it comes from. */
export const contextFileSchema = z.discriminatedUnion('from', [
  /** Part of what is asked for: lists and scripts that the Dockerfile reads. */
  z.object({ from: z.literal('text'), ...contextFile, text: z.string() }),
  /** An upload, which the agent gets from the console by the job's id and the file's. */
  z.object({
    from: z.literal('console'),
    ...contextFile,
    file: z.string().min(1),
    /** The console's own, for itself. */
    name: z.string(),
    sizeBytes: z.int().min(0),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
  }),
  /** What lies at a web address. */
  z.object({ from: z.literal('web'), ...contextFile, url: z.string().min(1), maxBytes: z.int().min(0) }),
]);
export type ContextFileSpec = z.infer<typeof contextFileSchema>;

/** What a build is given besides its context. */
const buildParametersSchema = z.object({
  pullBase: z.boolean(),
  /** For the ARGs of the Dockerfile. */
  arguments: z.array(z.object({ name: z.string().regex(/^(?!BUILDKIT_)[A-Za-z_]\w*$/i), value: z.string() })),
  /** For steps that mount them; nothing keeps their values. */
  secrets: z.array(z.object({ name: z.string().min(1), value: z.string() })),
});

/** Whether bases are asked for anew. */
export function pullsBase(spec: {
  pullBase?: boolean | undefined;
  parameters?: { pullBase: boolean } | undefined;
}): boolean {
  return spec.parameters?.pullBase ?? spec.pullBase ?? false;
}

/** Work that is done once. The id is the console's build id; a repeated delivery is not a second job. */
export const jobSpecSchema = z.discriminatedUnion('job', [
  z.object({
    job: z.literal('build'),
    ...jobBase,
    dockerfile: z.string(),
    /**
     * Consoles of protocol 4: files of the build context besides the Dockerfile; content is base64. A build that has a context
     * leaves them out, so that an agent that knows nothing of it refuses the build.
     */
    files: z.array(z.object({ path: z.string(), mode: z.int(), content: z.string() })).optional(),
    /** Every file of the build context besides the Dockerfile. */
    context: z.array(contextFileSchema).optional(),
    /** A build with parameters leaves it out, so that an agent that knows nothing of them refuses the build. */
    pullBase: z.boolean().optional(),
    parameters: buildParametersSchema.optional(),
    /**
     * Consoles of protocol 2: push the reference, with the host's accounts. Newer ones leave it out, so that an agent that knows
     * nothing of the fields below refuses the build.
     */
    pushAfterBuild: z.boolean().optional(),
    labels: z.record(z.string(), z.string()),
    /** Every image that the Dockerfile names. Consoles of protocol 2 don't say: its names are then taken as they stand. */
    bases: z.array(baseImageSchema).optional(),
    /** The name that the result is pushed under, which the host does not keep. */
    push: z
      .object({
        reference: z.string().min(1),
        account: registryAuthSchema.optional(),
        /** Time of its own after the build; 0 for as long as it takes. Consoles that don't say give both the job's. */
        timeoutMs: z.number().min(0).optional(),
      })
      .optional(),
    /** Web addresses that the Dockerfile fetches. */
    fetches: z.array(z.string()).optional(),
    /** Builds with another scope never see what this one's cache mounts hold. */
    cacheScope: z.string().optional(),
    /** Older builders would take the lines of its here-documents for instructions. */
    hasHereDocuments: z.boolean().optional(),
    /** Where the image says what each of its environments has. Agents that know nothing of it hand in no lock. */
    lock: z.array(z.object({ environment: z.string(), path: z.string() })).optional(),
  }),
  /** A build whose result is thrown away: only how it ends, and what it prints, is wanted. */
  z.object({
    job: z.literal('check'),
    ...jobBase,
    dockerfile: z.string(),
    context: z.array(contextFileSchema),
    bases: z.array(baseImageSchema),
    cacheScope: z.string(),
  }),
  z.object({
    job: z.literal('pull'),
    ...jobBase,
    /** What the host calls it; consoles of protocol 2 leave it under its own name. */
    tag: z.string().min(1).optional(),
    account: registryAuthSchema.optional(),
  }),
  /** Removes an image that the console no longer knows. Missing is fine; in use is a failure. */
  z.object({
    job: z.literal('remove-image'),
    ...jobBase,
    engineImageId: z.string(),
    /** Every name of the image's own is taken away; the reference and id are of a build by an older agent. */
    repository: z.string().min(1).optional(),
  }),
]);
export type JobSpec = z.infer<typeof jobSpecSchema>;
