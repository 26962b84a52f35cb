import { z } from 'zod';
import { engineNameSchema } from './specs/proxy';

const words = (max: number) => z.string().max(max);

/** How many routers are told at most. */
export const ROUTERS_MAX = 300;

/** A question to the API of a Traefik that runs on the host, whoever deployed it. Answered with one JSON text. */
export const openTraefikSchema = z.object({
  kind: z.literal('traefik'),
  containerName: engineNameSchema,
  /** Where its API listens in the container. */
  apiPort: z.int().min(1).max(65_535),
  /** Of the routers only those that have this in their rule or name; an older agent tells all. */
  search: z.string().max(253).optional(),
});
export type OpenTraefik = z.infer<typeof openTraefikSchema>;

export const traefikReportSchema = z.object({
  version: words(100),
  /** As the program says it, RFC 3339; empty where it doesn't. */
  startedAt: words(100),
  entryPoints: z.array(z.object({ name: words(200), address: words(200) })).max(100),
  routers: z
    .array(
      z.object({
        name: words(500),
        provider: words(100),
        rule: words(2000),
        service: words(500),
        /** Traefik's own word: `enabled`, `disabled` or `warning`. */
        status: words(50),
        errors: z.array(words(1000)).max(10),
        entryPoints: z.array(words(200)).max(20),
      }),
    )
    .max(ROUTERS_MAX),
  /** How many there are, those that are not told among them. */
  routersTotal: z.int().min(0),
});
export type TraefikReport = z.infer<typeof traefikReportSchema>;

/** A look at the host's NVIDIA cards, their driver and what brings them into containers. Answered with one JSON text. */
export const openNvidiaSchema = z.object({ kind: z.literal('nvidia') });

export const nvidiaReportSchema = z.object({
  /** Empty where there is none, or nobody sees it. */
  driverVersion: words(100),
  cards: z.array(z.object({ model: words(200), memoryBytes: z.number().min(0) })).max(100),
  /** NVIDIA cards that the machine lists, with a driver or without; null where nobody sees its devices. */
  seenCards: z.int().min(0).nullable(),
  /** Empty where there is none, or nobody sees it. */
  toolkitVersion: words(100),
  /** How containers are given cards: by a runtime of the engine, by CDI, or not. */
  given: z.enum(['runtime', 'cdi', 'none', 'unknown']),
  /** Whether the agent runs in a container, where it sees what that was given and not the machine. */
  isContained: z.boolean(),
  /** What went wrong while looking, for people; empty when all went well. */
  problem: words(2000),
});
export type NvidiaReport = z.infer<typeof nvidiaReportSchema>;
