import { z } from 'zod';

/** What a host is asked to hold: objects by kind and id, each with the revision that last changed it. */

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

export const registryAuthSchema = z.object({
  serveraddress: z.string(),
  username: z.string(),
  password: z.string(),
});
export type RegistryAuthSpec = z.infer<typeof registryAuthSchema>;

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

/** Settings of the host itself. */
export const hostSpecSchema = z.object({
  name: z.string(),
  enabled: z.boolean(),
  defaultRuntime: z.string(),
  defaultGpuRuntime: z.string(),
  registryAuths: z.array(registryAuthSchema),
  buildWidth: z.int().min(1),
});
export type HostSpec = z.infer<typeof hostSpecSchema>;

const objectBase = { id: z.string().min(1), revision: z.int().min(0) };

/** `spec: null` is a tombstone: the object is to go from the host. */
export const desiredObjectSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('workspace'), ...objectBase, spec: workspaceSpecSchema.nullable() }),
  z.object({ kind: z.literal('job'), ...objectBase, spec: jobSpecSchema.nullable() }),
  z.object({ kind: z.literal('host'), ...objectBase, spec: hostSpecSchema.nullable() }),
]);
export type DesiredObject = z.infer<typeof desiredObjectSchema>;
export type DesiredKind = DesiredObject['kind'];

/** Labels on everything that an agent makes. It never touches what lacks its own host's label. */
export const labels = {
  host: 'berth.host',
  kind: 'berth.kind',
  id: 'berth.id',
  generation: 'berth.generation',
  specHash: 'berth.spec-hash',
} as const;
