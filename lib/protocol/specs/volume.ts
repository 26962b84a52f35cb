import { z } from 'zod';
import { objectIdSchema } from './object-id';

/** Data that outlives containers: a volume of the engine's own, or a folder of the host. */
export const volumeSpecSchema = z.object({
  /** Absolute path of a folder on the host; empty for a volume of the engine's own. */
  pathOnHost: z.string().max(4096),
  /** Whose folder under the bind roots it has to lie in, where the host keeps people's folders apart. */
  ownerId: objectIdSchema,
  /** `removed` has the engine's volume go with all that is in it; a tombstone leaves it where it is. */
  state: z.enum(['present', 'removed']),
});
export type VolumeSpec = z.infer<typeof volumeSpecSchema>;
