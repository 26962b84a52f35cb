import { z } from 'zod';
import { registryAuthSchema } from './host';

/** What the engine takes as the name of a container or a network. */
export const engineNameSchema = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/);

/** A folder of the host, as it is called there: it says what it means. */
export const hostFolderSchema = z
  .string()
  .max(4096)
  .regex(/^(?:\/(?!\.{1,2}(?:\/|$))[^/\0\n]+)+$/);

/** The host's reverse proxy, one Traefik. Its object has the host's own id. */
export const proxySpecSchema = z.object({
  image: z.object({
    /** Where it is pulled from. */
    reference: z.string().min(1),
    /** What the host calls it once it is pulled. */
    tag: z.string().min(1),
    account: registryAuthSchema.optional(),
    /** 0 for as long as it takes. */
    pullTimeoutMs: z.number().min(0),
  }),
  containerName: engineNameSchema,
  /** Never one of the machine's own, which would let it in everywhere. */
  networkName: engineNameSchema.regex(/^(?!(?:host|none|default)$)/),
  ports: z.array(
    z.object({
      containerPort: z.int().min(1).max(65_535),
      /** 0 leaves the choice to the engine. */
      hostPort: z.int().min(0).max(65_535),
      protocol: z.enum(['tcp', 'udp']),
    }),
  ),
  /** The static configuration, TOML. */
  config: z.string(),
  /** Where the configuration is written: `traefik.toml` in it, beside the folder `dynamic`. */
  folder: hostFolderSchema,
  /** Where the configuration looks for the engine's socket; empty where it looks for none. */
  socketPath: z.union([z.literal(''), hostFolderSchema]),
});
export type ProxySpec = z.infer<typeof proxySpecSchema>;
