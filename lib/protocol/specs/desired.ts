import { z } from 'zod';
import { hostSpecSchema } from './host';
import { jobSpecSchema } from './job';
import { networkSpecSchema } from './network';
import { proxySpecSchema } from './proxy';
import { volumeSpecSchema } from './volume';
import { workspaceSpecSchema } from './workspace';

/** What a host can be asked to hold: every kind of object, and the shape of its spec. */
export const specSchemas = {
  workspace: workspaceSpecSchema,
  volume: volumeSpecSchema,
  network: networkSpecSchema,
  proxy: proxySpecSchema,
  job: jobSpecSchema,
  host: hostSpecSchema,
} as const;
export type DesiredKind = keyof typeof specSchemas;
export type DesiredSpecs = { [K in DesiredKind]: z.infer<(typeof specSchemas)[K]> };

/** An object with the revision that last changed it. `spec: null` is a tombstone: it is to go from the host. */
export type DesiredObject = {
  [K in DesiredKind]: { kind: K; id: string; revision: number; spec: DesiredSpecs[K] | null };
}[DesiredKind];

const envelopeSchema = z
  .object({
    kind: z.string().catch(''),
    id: z.string().catch(''),
    revision: z.int().min(0).catch(0),
    spec: z.unknown().optional(),
  })
  .catch({ kind: '', id: '', revision: 0, spec: undefined });

/** An object that the agent can't read: of a kind, or with a spec, that only a newer console knows. */
export const unsupportedSchema = z.object({
  kind: z.string(),
  id: z.string(),
  revision: z.int(),
  /** What was not understood, for people. */
  reason: z.string().max(1000),
});
export type UnsupportedObject = z.infer<typeof unsupportedSchema>;

export type ReadObject = { object: DesiredObject } | { unsupported: UnsupportedObject };

/** Reads one object of an answer. Undefined for a tombstone of a kind that is not known: nothing of it is held. */
export function readDesiredObject(raw: unknown): ReadObject | undefined {
  const { kind, id, revision, spec } = envelopeSchema.parse(raw);
  const unsupported = (reason: string) => ({ unsupported: { kind, id, revision, reason: reason.slice(0, 1000) } });
  if (!isKind(kind)) return spec === null ? undefined : unsupported('objects of this kind are not known');
  if (id === '') return unsupported('an object has an id');
  const read = specSchemas[kind].nullable().safeParse(spec);
  if (!read.success) return unsupported(describe(read.error));
  return { object: { kind, id, revision, spec: read.data } as DesiredObject };
}

function isKind(kind: string): kind is DesiredKind {
  return Object.hasOwn(specSchemas, kind);
}

function describe({ issues }: z.ZodError): string {
  return issues.map(({ path, message }) => `${path.join('.') || 'the spec'}: ${message}`).join('; ');
}

/** Labels on everything that an agent makes. It never touches what lacks its own host's label. */
export const labels = {
  host: 'berth.host',
  kind: 'berth.kind',
  id: 'berth.id',
  generation: 'berth.generation',
  specHash: 'berth.spec-hash',
} as const;
