import { z } from 'zod';

/** What lies on the disk of a host's engine. Answered with one JSON text. */
export const openDiskSchema = z.object({ kind: z.literal('disk') });

/** Images that one act removes. */
export const PRUNE_MAX = 2000;

/** Has the engine remove images that no container needs, and what builds left behind. Answered once it has begun. */
export const openPruneSchema = z.object({
  kind: z.literal('prune'),
  /** Engine ids. One that a container needs by then stays. */
  images: z.array(z.string().min(1).max(200)).max(PRUNE_MAX),
  buildCache: z.boolean(),
});

const bytes = z.number().min(0);

export const diskImageSchema = z.object({
  /** The engine's id, `sha256:…`. */
  imageId: z.string().max(200),
  /** At most ten of its names. */
  tags: z.array(z.string().max(512)).max(10),
  /** Layers that other images have too are counted with each. */
  sizeBytes: bytes,
  createdAt: z.string(),
});

/** One act of removing, as it goes on. */
export const pruneStateSchema = z.object({
  startedAt: z.string(),
  isRunning: z.boolean(),
  /** Images that were asked for, and those of them that are gone. */
  asked: z.int().min(0),
  removed: z.int().min(0),
  freedCacheBytes: bytes,
  /** What stayed, and why, in the engine's words; the first of them. */
  kept: z.array(z.object({ name: z.string().max(512), why: z.string().max(500) })).max(20),
  /** Why it came to no good end; empty where it did. */
  message: z.string().max(2000),
});
export type PruneState = z.infer<typeof pruneStateSchema>;

export const diskSchema = z.object({
  /** All layers, each counted once. */
  layersBytes: bytes,
  images: z.int().min(0),
  containers: z.object({ count: z.int().min(0), sizeBytes: bytes }),
  volumes: z.object({ count: z.int().min(0), sizeBytes: bytes }),
  buildCache: z.object({ sizeBytes: bytes, unusedBytes: bytes }),
  /** The images that no container needs, the largest first, at most `PRUNE_MAX`. */
  unused: z.array(diskImageSchema).max(PRUNE_MAX),
  prune: pruneStateSchema.nullable(),
});
export type DiskUse = z.infer<typeof diskSchema>;
