import { z } from 'zod';

const words = (max: number) => z.string().overwrite((text) => text.slice(0, max));

/** The host's reverse proxy, with the host's own id. */
export const observedProxySchema = z.object({
  kind: z.literal('proxy'),
  id: z.string(),
  /** `absent` confirms a tombstone. */
  status: z.enum(['pending', 'running', 'error', 'absent']),
  /** What is being done, or for errors the engine's own words, then what to do. */
  message: words(10_000),
  /** Empty without a container. */
  containerId: words(200),
  /** As it was asked for; empty without a container. */
  image: words(600),
  /** When the container was started last, milliseconds since the epoch; 0 while it does not run. */
  startedAt: z.number().min(0),
  /** Times the agent has tried again. */
  retries: z.int().min(0),
});
export type ObservedProxy = z.infer<typeof observedProxySchema>;
