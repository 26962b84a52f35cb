import { z } from 'zod';

/** What can be carried from one console to another, in the order in which it is made: later ones name earlier ones. */
export const CARRIED = ['domains', 'files', 'networks', 'volumes', 'images', 'workspaces'] as const;
export type Carried = (typeof CARRIED)[number];

/** How a record is named where it came from, for a console that knows it by no id. */
export const namedSchema = z.strictObject({
  name: z.string().min(1).max(300),
  /** Of the host that it is on; empty for what is on none. */
  host: z.string().max(300).default(''),
  /** Of an image, many of which may have one name. */
  image: z
    .strictObject({ repository: z.string().max(300), tag: z.string().max(300), template: z.boolean() })
    .optional(),
});
export type Named = z.output<typeof namedSchema>;

const recordSchema = z.strictObject({
  ...namedSchema.shape,
  owner: z.string().max(300),
  fields: z.record(z.string().max(100), z.unknown()),
});
export type CarriedRecord = z.output<typeof recordSchema>;

/** Secret values, sealed with a key that is made of a passphrase: all of them base64. */
const sealedSchema = z.strictObject({
  salt: z.string().max(100),
  iv: z.string().max(100),
  tag: z.string().max(100),
  data: z.string(),
});
export type Sealed = z.output<typeof sealedSchema>;

const recordsShape = Object.fromEntries(CARRIED.map((kind) => [kind, z.array(recordSchema).max(100_000).default([])]));

/** A file of records by which another console makes them. */
export const exportSchema = z.strictObject({
  format: z.literal('berth-export'),
  formatVersion: z.literal(1),
  berth: z.string().max(100),
  made: z.string().max(100),
  records: z.strictObject(recordsShape as Record<Carried, z.ZodDefault<z.ZodArray<typeof recordSchema>>>),
  secrets: sealedSchema.optional(),
});
export type Export = z.output<typeof exportSchema>;

/** Secret values by the record that they are of and their own name there. */
export const secretsSchema = z.record(z.string(), z.string());
export type Secrets = z.output<typeof secretsSchema>;

/** Where a secret value belongs: no part can be mistaken for another. */
export function secretKey(kind: Carried, { name, host, image }: Named, field: string, secret: string): string {
  return JSON.stringify([kind, name, host, image?.repository ?? '', image?.tag ?? '', field, secret]);
}
