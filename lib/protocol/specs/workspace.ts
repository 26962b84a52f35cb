import { z } from 'zod';

export const portSpecSchema = z.object({
  containerPort: z.int().min(0).max(65535),
  protocol: z.enum(['tcp', 'udp']),
  /** 0 leaves the choice to the engine. */
  hostPort: z.int().min(0).max(65535),
  /** Empty for all addresses. */
  hostIp: z.string(),
});
export type PortSpec = z.infer<typeof portSpecSchema>;

export const workspaceSpecSchema = z.object({
  name: z.string(),
  generation: z.int().min(0),
  /** Raised when the same generation is to be tried or started anew. */
  attempt: z.int().min(0),
  state: z.enum(['running', 'stopped']),
  image: z.object({
    /** What the engine knows it by, `repository:tag`. */
    reference: z.string().min(1),
    /** Engine id `sha256:…` of the build that is wanted; empty takes what the reference points to. */
    id: z.string(),
    /** Whether the agent may pull the reference when it is missing. */
    pull: z.boolean(),
  }),
  /** Replaces the image's command; null keeps it. */
  command: z.array(z.string()).nullable(),
  environment: z.array(z.object({ name: z.string(), value: z.string() })),
  ports: z.array(portSpecSchema),
  runtime: z.string(),
  gpus: z.union([z.object({ uuids: z.array(z.string()) }), z.object({ count: z.int().min(1) })]).nullable(),
  /** Bytes; 0 leaves it to the engine. */
  shmSizeBytes: z.number().min(0),
  /** Cores; 0 is no limit. */
  cpuLimit: z.number().min(0),
  /** Bytes; 0 is no limit. */
  memoryLimitBytes: z.number().min(0),
  /** Whether the engine restarts it when it exits by itself. */
  autoStart: z.boolean(),
  pullTimeoutMs: z.number().min(0),
});
export type WorkspaceSpec = z.infer<typeof workspaceSpecSchema>;
