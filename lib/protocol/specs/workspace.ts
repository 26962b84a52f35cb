import { z } from 'zod';
import { registryAuthSchema } from './host';
import { objectIdSchema } from './object-id';
import { routeSpecSchema } from './route';

export const portSpecSchema = z.object({
  containerPort: z.int().min(0).max(65535),
  protocol: z.enum(['tcp', 'udp']),
  /** 0 leaves the choice to the engine. */
  hostPort: z.int().min(0).max(65535),
  /** Empty for all addresses. */
  hostIp: z.string(),
});
export type PortSpec = z.infer<typeof portSpecSchema>;

/** How far a container is kept apart. The defaults are what a console gets that doesn't say. */
export const isolationSpecSchema = z.object({
  /** Whose containers share a network; empty for the engine's own network. */
  ownerId: z
    .string()
    .regex(/^[A-Za-z0-9_-]{0,50}$/)
    .default(''),
  /** Processes and threads; 0 is no limit. */
  pidsLimit: z.int().min(0).default(4096),
  /** Whether a program in it may gain rights by setuid, as sudo does. */
  allowNewPrivileges: z.boolean().default(false),
  /** Whether it may make packets of its own, as ping does. */
  keepNetRaw: z.boolean().default(false),
});
export type IsolationSpec = z.infer<typeof isolationSpecSchema>;

export const mountSpecSchema = z.object({
  volumeId: objectIdSchema,
  /** Absolute path in the container. */
  path: z.string().min(1).max(4096),
  readOnly: z.boolean(),
});
export type MountSpec = z.infer<typeof mountSpecSchema>;

/** 0 leaves a number to the engine, which asks every 30 s, waits as long, and believes the third failure. */
export const healthCheckSpecSchema = z.object({
  /** Run by the container's shell; it ends with 0 while all is well. */
  command: z.string().min(1),
  intervalMs: z.int().min(0),
  timeoutMs: z.int().min(0),
  retries: z.int().min(0),
  startMs: z.int().min(0),
});

export const workspaceSpecSchema = z.object({
  name: z.string(),
  generation: z.int().min(0),
  /** Raised when the same generation is to be tried or started anew. */
  attempt: z.int().min(0),
  state: z.enum(['running', 'stopped']),
  image: z.object({
    /** Where it is pulled from; the host's own name where it is not pulled. */
    reference: z.string().min(1),
    /** What the host calls it. Consoles of protocol 2 don't say: the reference is then what the engine knows it by. */
    tag: z.string().min(1).optional(),
    account: registryAuthSchema.optional(),
    /** Engine id `sha256:…` of the build that is wanted; empty takes what the reference points to. */
    id: z.string(),
    /** Whether the agent may pull the reference when it is missing. */
    pull: z.boolean(),
    /** Stands here and not beside the image where the spec asks for what agents of protocol 3 would leave out: they refuse it. */
    pullTimeoutMs: z.number().min(0).optional(),
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
  /** `image` where there are routes: agents of protocol 5 would leave those out, and can't read that word. */
  pullTimeoutMs: z.union([z.number().min(0), z.literal('image')]).optional(),
  /** Replaces the image's own; null keeps it. */
  healthCheck: healthCheckSpecSchema.nullable().default(null),
  /** The generation that was last asked for as a redeploy: its container is made anew, whatever runs. 0 for none. */
  remake: z.int().min(0).default(0),
  /**
   * What goes first where one container takes another's place: the new one starts beside the old, but where both need a host
   * port, or the old one stops before.
   */
  order: z.enum(['start-first', 'stop-first']).default('start-first'),
  isolation: isolationSpecSchema.prefault({}),
  mounts: z.array(mountSpecSchema).default([]),
  /** Ids of networks that it is on beside its owner's. */
  networks: z.array(objectIdSchema).default([]),
  /** What others call it on those networks. */
  aliases: z.array(z.string().regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/)).default([]),
  /** Addresses from outside. */
  routes: z.array(routeSpecSchema).default([]),
  /** How the reverse proxy hears of them: by the container's labels, or by a file beside it. */
  routedBy: z.enum(['', 'labels', 'files']).default(''),
});
export type WorkspaceSpec = z.infer<typeof workspaceSpecSchema>;
