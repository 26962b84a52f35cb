import { z } from 'zod';
import { hostTerminalSchema } from './host-terminal';
import type { ObservedProxy } from './observed-proxy';
import { type DesiredKind, type DesiredObject, unsupportedSchema } from './specs/desired';

/** Bodies and answers of the agent's HTTPS calls under /api/agent. */

/** Words of an agent, cut to what a console keeps: a host that says too much is heard all the same. */
const words = (max: number) => z.string().overwrite((text) => text.slice(0, max));
const atMost = <T extends z.ZodType>(item: T, max: number) => z.array(item).overwrite((items) => items.slice(0, max));
const MESSAGE_CHARS = 10_000;

export const capabilitiesSchema = z.object({
  build: z.boolean(),
  buildKit: z.boolean(),
  gpu: z.boolean(),
  runtimes: atMost(words(100), 100),
});

export const versionsSchema = z.object({
  agent: words(100),
  protocol: z.int(),
  protocolMin: z.int(),
  engine: words(100),
  engineApi: words(100),
});

export const engineKindSchema = z.enum(['docker', 'kubernetes', 'simulated']);

export const joinRequestSchema = z.object({
  token: z.string().min(1),
  /** Raw Ed25519 public key, base64url. */
  publicKey: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
  name: z.string().min(1).max(100),
  environment: z.enum(['docker', 'kubernetes']),
  engine: engineKindSchema,
  versions: versionsSchema,
});
export type JoinRequest = z.infer<typeof joinRequestSchema>;
/** The versions that the console speaks; one before version 2 doesn't say. */
const spoken = { protocol: z.int().default(1), protocolMin: z.int().default(1) };

export const joinAnswerSchema = z.object({ hostId: z.string(), now: z.number(), ...spoken });
export type JoinAnswer = z.infer<typeof joinAnswerSchema>;

export const gpuSchema = z.object({
  uuid: words(200),
  model: words(200),
  memoryBytes: z.number(),
  usedBy: atMost(words(100), 1000),
});

export const resourcesSchema = z.object({
  cpuCores: z.number(),
  memoryBytes: z.number(),
  diskBytes: z.number(),
  diskFreeBytes: z.number(),
  gpus: atMost(gpuSchema, 100),
});
export type Resources = z.infer<typeof resourcesSchema>;

export const heartbeatRequestSchema = z.object({
  /** New for every process of the agent; two living processes may not share one identity. */
  instance: z.string().min(1).max(100),
  /** Processes of the same agent before it that have ended on the same machine, a clean end or not. */
  replaces: z.array(z.string().max(100)).max(10).optional(),
  versions: versionsSchema,
  engine: z.object({
    kind: engineKindSchema,
    reachable: z.boolean(),
    /** The engine's own words when it can't be reached. */
    message: words(MESSAGE_CHARS),
  }),
  capabilities: capabilitiesSchema,
  os: words(200),
  platform: words(200),
  resources: resourcesSchema,
  /** Percent of what there is that is in use now, the load of the cores: from protocol 8 on, while it is known. */
  usage: z.object({ cpu: z.number(), memory: z.number(), load: z.number() }).optional(),
  /** Folders of the host that bind mounts may lie under; left out by agents that make none. */
  bindRoots: atMost(words(4096), 50).optional(),
  /** Of a shell on the host itself; left out by agents that know of none. */
  hostTerminal: hostTerminalSchema.optional(),
  appliedRevision: z.int().min(0),
  runningJobs: atMost(words(100), 1000),
  liveLink: z.boolean(),
});
export type HeartbeatRequest = z.infer<typeof heartbeatRequestSchema>;
export const heartbeatAnswerSchema = z.object({
  now: z.number(),
  revision: z.int(),
  heartbeatIntervalSeconds: z.number().min(1),
  reconciliationIntervalSeconds: z.number().min(1),
  ...spoken,
});
export type HeartbeatAnswer = z.infer<typeof heartbeatAnswerSchema>;

/** `full` answers replace everything that the agent held; the others are merged. `204` means nothing changed. */
export const desiredAnswerSchema = z.object({
  now: z.number(),
  revision: z.int(),
  full: z.boolean(),
  /** Each is read by itself, so that one which the agent doesn't know costs no other: see `readDesiredObject`. */
  objects: z.array(z.unknown()),
});
/** An answer as the agent reads it. */
export type DesiredRead = z.infer<typeof desiredAnswerSchema>;
/** An answer as a console of this version gives it. */
export interface DesiredAnswer extends DesiredRead {
  objects: DesiredObject[];
}

export const observedWorkspaceSchema = z.object({
  kind: z.literal('workspace'),
  id: z.string(),
  generation: z.int(),
  attempt: z.int(),
  /** `absent` confirms a tombstone. */
  status: z.enum(['deploying', 'starting', 'running', 'stopping', 'stopped', 'error', 'absent']),
  /** For errors: the engine's own words, then what to do. */
  message: words(MESSAGE_CHARS),
  containerId: words(200),
  imageId: words(300),
  /** Of its last end, while it is down or is started again and again. */
  exitCode: z.int().nullable(),
  /** How often the engine has started the container again by itself. */
  restarts: z.int().min(0).default(0),
  /** What it printed last before it ended by itself. */
  lastLines: atMost(words(2000), 50).default([]),
  /** The generation that the container was made for; 0 where the agent doesn't say. */
  madeGeneration: z.int().default(0),
  /** Times the agent has retried this attempt. */
  retries: z.int().min(0),
  ports: atMost(
    z.object({
      containerPort: z.int(),
      protocol: z.enum(['tcp', 'udp']),
      hostPort: z.int(),
      hostIp: words(100),
    }),
    2000,
  ),
});
export type ObservedWorkspace = z.infer<typeof observedWorkspaceSchema>;

const resourceState = {
  id: z.string(),
  /** `absent` confirms that it is gone, or is left to itself. */
  status: z.enum(['pending', 'created', 'error', 'absent']),
  /** For errors: the engine's own words, then what to do. */
  message: words(MESSAGE_CHARS),
  /** Times the agent has tried again. */
  retries: z.int().min(0),
};
export const observedVolumeSchema = z.object({ kind: z.literal('volume'), ...resourceState });
export type ObservedVolume = z.infer<typeof observedVolumeSchema>;
export const observedNetworkSchema = z.object({ kind: z.literal('network'), ...resourceState });
export type ObservedNetwork = z.infer<typeof observedNetworkSchema>;
export type ObservedResource = ObservedVolume | ObservedNetwork;
export type ObservedObject = ObservedWorkspace | ObservedResource | ObservedProxy;

/** One step of a workspace's deployment; `at` is the agent's clock, set against the report's `sentAt`. */
export const stepEventSchema = z.object({
  workspaceId: z.string(),
  generation: z.int(),
  attempt: z.int(),
  key: z.enum(['queued', 'image', 'create', 'start', 'up', 'health', 'stop', 'remove', 'restore']),
  status: z.enum(['running', 'done', 'failed']),
  message: words(MESSAGE_CHARS),
  at: z.number(),
});
export type StepEvent = z.infer<typeof stepEventSchema>;

const exposedPortSchema = z.object({ containerPort: z.int().min(1).max(65_535), protocol: z.enum(['tcp', 'udp']) });

export const jobEventSchema = z.object({
  id: z.string(),
  status: z.enum(['pending', 'running', 'done', 'cancelled', 'error']),
  message: words(MESSAGE_CHARS),
  /** Place in the host's queue, 0 once it runs. */
  queuePlace: z.int().min(0),
  imageId: words(300),
  digest: words(300),
  sizeBytes: z.number(),
  /** What the image says that it listens on; nothing from agents that don't ask. */
  exposedPorts: z.array(exposedPortSchema).max(100).default([]),
  at: z.number(),
});
export type JobEvent = z.infer<typeof jobEventSchema>;

/** One piece of news as it arrives: the kind that it names reads it, so that one which nobody knows costs no other. */
const newsOf = (kind: DesiredKind) => z.array(z.looseObject({ kind: z.string().default(kind) }));
export type AgentNews = z.infer<ReturnType<typeof newsOf>>[number];

/** What an engine holds under this host's labels although the console asks for nothing of that id. */
export const unknownObjectSchema = z.object({
  kind: z.string().max(100),
  id: z.string().max(100),
  /** The engine's name for it. */
  name: z.string().max(300),
  imageId: z.string().max(300),
  isRunning: z.boolean(),
});
export type UnknownObject = z.infer<typeof unknownObjectSchema>;

/** Re-sent until acknowledged with its sequence, so the console takes each at most once. */
export const reportRequestSchema = z.object({
  instance: z.string(),
  sequence: z.int().min(1),
  sentAt: z.number(),
  /** Newest state of each object that changed since the last acknowledged report. */
  objects: newsOf('workspace'),
  steps: newsOf('workspace'),
  jobs: newsOf('job'),
  /** What the agent is asked to hold and can't read; it holds what it held before. */
  unsupported: z.array(unsupportedSchema).default([]),
  /** All that is unknown at the moment, where that changed; it replaces what was told before. */
  unknown: z.array(unknownObjectSchema).optional(),
});
/** A report as the console reads it. */
export type ReportRead = z.infer<typeof reportRequestSchema>;
/** A report as an agent of this version sends it. */
export interface ReportRequest extends Omit<ReportRead, 'objects' | 'steps' | 'jobs'> {
  objects: ObservedObject[];
  steps: StepEvent[];
  jobs: JobEvent[];
}
export const reportAnswerSchema = z.object({ now: z.number(), acknowledged: z.int(), revision: z.int() });
export type ReportAnswer = z.infer<typeof reportAnswerSchema>;

export const jobLogRequestSchema = z.object({
  chunks: z
    .array(z.object({ sequence: z.int().min(1), text: z.string().max(65536) }))
    .min(1)
    .max(64),
});
export type JobLogRequest = z.infer<typeof jobLogRequestSchema>;
/** The highest sequence up to which the console holds every chunk. */
export const jobLogAnswerSchema = z.object({ acknowledged: z.int() });

/** What a job hands in at most of one environment, and of all. */
export const lockLimits = { fileBytes: 1024 * 1024, allBytes: 3 * 1024 * 1024, environments: 100, bases: 100 } as const;

/** What a build has resolved: the images that it stands on, and what its own scripts say of its environments. */
export const jobLockRequestSchema = z.object({
  bases: z
    .array(
      z.object({
        /** As people write it. */
        from: z.string().max(600),
        imageId: z.string().max(300),
        /** Empty where it is not known. */
        digest: z.string().max(300),
      }),
    )
    .max(lockLimits.bases),
  environments: z
    .array(
      z.object({
        name: z.string().max(200),
        text: z.string().max(lockLimits.fileBytes),
        /** Why there is no text, for people. */
        problem: words(1000),
      }),
    )
    .max(lockLimits.environments),
});
export type JobLockRequest = z.infer<typeof jobLockRequestSchema>;
export const jobLockAnswerSchema = z.object({ now: z.number().optional() });

/** Body limits of the calls, in bytes. */
export const callLimits = {
  join: 16 * 1024,
  heartbeat: 256 * 1024,
  report: 1024 * 1024,
  jobLog: 4 * 1024 * 1024,
  jobLock: 8 * 1024 * 1024,
} as const;

/** Refusals that the agent acts on: the `code` of a field problem under `data.agent`. */
export const AGENT_REFUSALS = {
  unknownHost: 'agent_unknown_host',
  badProof: 'agent_bad_proof',
  clockSkew: 'agent_clock_skew',
  replayed: 'agent_replayed',
  duplicateInstance: 'agent_duplicate_instance',
  protocol: 'agent_protocol_unsupported',
  nameTaken: 'agent_name_taken',
  badToken: 'agent_bad_token',
} as const;
