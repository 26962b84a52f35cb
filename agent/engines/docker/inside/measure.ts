import type Docker from 'dockerode';
import { z } from 'zod';
import { EngineError } from '../../engine-error';
import type { ContainerMeasure } from '../../engine-inside';
import { ask } from '../docker-client';

const amount = z.number().min(0).catch(0);
const statsSchema = z.object({
  read: z.string(),
  cpu_stats: z.object({ cpu_usage: z.object({ total_usage: z.number() }) }),
  memory_stats: z
    .object({
      usage: amount.optional(),
      limit: amount.optional(),
      /** `inactive_file` of version 2 of the kernel's control groups, the total of version 1. */
      stats: z
        .object({ inactive_file: amount.optional(), total_inactive_file: amount.optional() })
        .catch({})
        .optional(),
    })
    .catch({}),
  networks: z
    .record(z.string(), z.object({ rx_bytes: amount, tx_bytes: amount }))
    .nullish()
    .catch(null),
});

/** Of a machine without a limit the engine tells its whole memory: that is more than any limit makes sense at. */
const NO_LIMIT = 2 ** 62;

/** One look at a container's counters: the engine gives no second one to compare with, and so answers at once. */
export async function measure(docker: Docker, containerId: string): Promise<ContainerMeasure | null> {
  try {
    const container = docker.getContainer(containerId);
    const options = { stream: false, 'one-shot': true } as unknown as { stream: false };
    return toMeasure(await ask(() => container.stats(options)));
  } catch (error) {
    if (error instanceof EngineError && (error.kind === 'not-found' || error.kind === 'conflict')) return null;
    throw error;
  }
}

/** Null for the answer about a container that is down, which has a shape and no numbers. */
export function toMeasure(answer: unknown): ContainerMeasure | null {
  const read = statsSchema.safeParse(answer);
  if (!read.success) return null;
  const { cpu_stats: cpu, memory_stats: memory, networks, read: time } = read.data;
  const atMs = Date.parse(time);
  if (!(atMs > 0) || memory.usage === undefined) return null;
  const cards = Object.values(networks ?? {});
  const inactive = memory.stats?.inactive_file ?? memory.stats?.total_inactive_file ?? 0;
  return {
    atMs,
    cpuNanos: cpu.cpu_usage.total_usage,
    memory: Math.max(0, memory.usage - inactive),
    memoryLimit: (memory.limit ?? 0) < NO_LIMIT ? (memory.limit ?? 0) : 0,
    received: cards.reduce((sum, { rx_bytes: bytes }) => sum + bytes, 0),
    sent: cards.reduce((sum, { tx_bytes: bytes }) => sum + bytes, 0),
  };
}
