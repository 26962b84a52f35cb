import { z } from 'zod';
import { hostSpecSchema } from './host';
import { jobSpecSchema } from './job';
import { workspaceSpecSchema } from './workspace';

/** What a host is asked to hold: objects by kind and id, each with the revision that last changed it. */

const objectBase = { id: z.string().min(1), revision: z.int().min(0) };

/** `spec: null` is a tombstone: the object is to go from the host. */
export const desiredObjectSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('workspace'), ...objectBase, spec: workspaceSpecSchema.nullable() }),
  z.object({ kind: z.literal('job'), ...objectBase, spec: jobSpecSchema.nullable() }),
  z.object({ kind: z.literal('host'), ...objectBase, spec: hostSpecSchema.nullable() }),
]);
export type DesiredObject = z.infer<typeof desiredObjectSchema>;
export type DesiredKind = DesiredObject['kind'];
/** The spec of each kind. */
export type DesiredSpecs = { [O in DesiredObject as O['kind']]: NonNullable<O['spec']> };

/** Labels on everything that an agent makes. It never touches what lacks its own host's label. */
export const labels = {
  host: 'berth.host',
  kind: 'berth.kind',
  id: 'berth.id',
  generation: 'berth.generation',
  specHash: 'berth.spec-hash',
} as const;
