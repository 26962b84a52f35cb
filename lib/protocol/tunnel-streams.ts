import { z } from 'zod';

/**
 * A TCP connection to a port of a workspace's container. The first thing that comes is one JSON line that says whether there is
 * one; after it bytes go both ways as they are, and either side may finish before the other.
 */
export const openTunnelSchema = z.object({
  kind: z.literal('tunnel'),
  workspaceId: z.string(),
  port: z.int().min(1).max(65_535),
});
export type OpenTunnel = z.infer<typeof openTunnelSchema>;

/** Why there is no connection: nothing listens, nothing runs, nothing is ever run, too many are open, or no way leads there. */
export const TUNNEL_REFUSALS = ['silent', 'stopped', 'simulated', 'full', 'unreachable'] as const;
export type TunnelRefusal = (typeof TUNNEL_REFUSALS)[number];

export const tunnelHeadSchema = z.union([
  z.object({ tunnel: z.literal('open') }),
  z.object({
    tunnel: z.enum(TUNNEL_REFUSALS),
    /** For people. */
    message: z.string().max(2000),
    /** What the container listens on, where anyone knows. */
    listeners: z
      .array(z.object({ port: z.int().min(1).max(65_535), isLocal: z.boolean() }))
      .max(100)
      .default([]),
  }),
]);
export type TunnelHead = z.infer<typeof tunnelHeadSchema>;
