import { z } from 'zod';

/** What can't be read off the containers and must outlive a restart of the agent. */
export const workspaceMemorySchema = z.object({
  /** The generation whose image was looked up and whose container is in place. */
  settledGeneration: z.int().nullable().default(null),
  /** A container that ended by itself, which is no reason to start it again. */
  exit: z
    .object({
      containerId: z.string(),
      generation: z.int(),
      attempt: z.int(),
      exitCode: z.int(),
      outOfMemory: z.boolean(),
      /** What it printed last; null while that isn't read. */
      lastLines: z.array(z.string()).nullable().default(null),
    })
    .nullable()
    .default(null),
  failure: z
    .object({
      generation: z.int(),
      attempt: z.int(),
      message: z.string(),
      /** Nothing is tried again until the generation or the attempt changes. */
      isFinal: z.boolean(),
      retries: z.int(),
      /** Agent's clock, milliseconds. */
      retryAtMs: z.number(),
    })
    .nullable()
    .default(null),
  /** Containers that the agent made or adopted, the newest last. */
  ownIds: z.array(z.string()).default([]),
  /** A container that the engine starts again and again, and the wish under which that began. */
  crash: z
    .object({
      containerId: z.string(),
      generation: z.int(),
      attempt: z.int(),
      restarts: z.int(),
      /** Since when it has been started so often; agent's clock, milliseconds. */
      sinceMs: z.number(),
      message: z.string(),
      exitCode: z.int().default(0),
      lastLines: z.array(z.string()).default([]),
    })
    .nullable()
    .default(null),
  /** The container that has been healthy once. */
  healthyContainerId: z.string().default(''),
});
export type WorkspaceMemory = z.infer<typeof workspaceMemorySchema>;

export const memoryFileSchema = z.record(z.string(), workspaceMemorySchema);

export const emptyMemory: WorkspaceMemory = workspaceMemorySchema.parse({});

/** Drops what was remembered of an earlier generation or attempt. */
export function forgetPast(memory: WorkspaceMemory, wanted: { generation: number; attempt: number }): WorkspaceMemory {
  const isCurrent = (past: { generation: number; attempt: number } | null): boolean =>
    past !== null && past.generation === wanted.generation && past.attempt === wanted.attempt;
  if ((memory.exit === null || isCurrent(memory.exit)) && (memory.failure === null || isCurrent(memory.failure))) {
    return memory;
  }
  return {
    ...memory,
    exit: isCurrent(memory.exit) ? memory.exit : null,
    failure: isCurrent(memory.failure) ? memory.failure : null,
  };
}
