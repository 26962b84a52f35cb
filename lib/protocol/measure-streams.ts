import { z } from 'zod';

/** Questions about how a workspace's container does, from protocol 5 on. Each is answered with one JSON text. */

export const METRIC_SPANS = ['recent', 'day'] as const;
export type MetricSpan = (typeof METRIC_SPANS)[number];

export const openMetricsSchema = z.object({
  kind: z.literal('metrics'),
  workspaceId: z.string(),
  /** The last minutes as they were measured, or the last day by the minute. */
  span: z.enum(METRIC_SPANS),
});
/** Of the host itself, from protocol 8 on: the last minutes, the last day by five minutes, or thirty days by two hours. */
export const HOST_METRIC_SPANS = ['recent', 'day', 'month'] as const;
export type HostMetricSpan = (typeof HOST_METRIC_SPANS)[number];
export const openHostMetricsSchema = z.object({ kind: z.literal('hostMetrics'), span: z.enum(HOST_METRIC_SPANS) });

export const openListenersSchema = z.object({ kind: z.literal('listeners'), workspaceId: z.string() });
/** Which workspaces of the host are in use, from protocol 7 on. */
export const openQuietSchema = z.object({
  kind: z.literal('quiet'),
  /** Processor cores, and bytes a second of the network: up to that much is no use. */
  cpu: z.number().min(0),
  network: z.number().min(0),
});
export type OpenQuiet = z.infer<typeof openQuietSchema>;
export type OpenMetrics = z.infer<typeof openMetricsSchema>;
export type OpenMeasures = OpenMetrics | z.infer<typeof openListenersSchema>;

export function isMeasuresOpen<T extends { kind: string }>(open: T | OpenMeasures): open is OpenMeasures {
  return open.kind === 'metrics' || open.kind === 'listeners';
}

const column = z.array(z.number());

/** Measured values as columns of one length, the oldest first. There are none of a time in which it did not run. */
export const metricsSchema = z.object({
  /** Between two values, where none is missing. */
  stepSeconds: z.number().min(1),
  /** Seconds since the Unix epoch, by the host's clock. */
  at: column,
  /** Processor cores in use. */
  cpu: column,
  /** Bytes, without what the kernel would drop at once. */
  memory: column,
  /** Bytes a second. */
  received: column,
  sent: column,
  /** Of the workspace's cards the mean load, 0 to 1, and bytes together; empty without cards, or where the host can't tell. */
  gpu: column,
  gpuMemory: column,
  /** Of the newest value, in bytes; 0 for none. */
  memoryLimit: z.number().min(0),
});
export type Metrics = z.infer<typeof metricsSchema>;

/**
 * How a host did, as columns of one length, the oldest first. There are none of a time in which nothing was measured; of one in
 * which its cards did not answer, theirs say -1.
 */
export const hostMetricsSchema = metricsSchema.omit({ memoryLimit: true }).extend({
  /** Bytes in use of the disk with the engine's data. */
  disk: column,
  /** Mean number of programs that ran or waited, of a minute. */
  load: column,
  /** What there is of each, at the newest value. */
  cpuCores: z.number().min(0),
  memoryBytes: z.number().min(0),
  diskBytes: z.number().min(0),
});
export type HostMetrics = z.infer<typeof hostMetricsSchema>;

export const listenerSchema = z.object({
  port: z.int().min(1).max(65535),
  /** Whether it listens to the container itself alone: publishing it leads nowhere. */
  isLocal: z.boolean(),
});
export type Listener = z.infer<typeof listenerSchema>;
export const listenersSchema = z.object({ listeners: z.array(listenerSchema) });

/**
 * Workspaces that are measured: for how many seconds up to now each is known not to be in use. A time in which nobody measured
 * counts as use, and hosts remember a day at most.
 */
export const quietSchema = z.object({
  workspaces: z.array(z.object({ id: z.string().max(100), seconds: z.number().min(0) })),
});
