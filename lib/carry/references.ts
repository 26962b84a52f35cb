import 'server-only';
import { z } from 'zod';
import { type Carried, type Named, namedSchema } from './format';
import type { Names } from './names';

/** A field with ids inside, as it is carried: names in their place. `none` is told of what could not be named. */
interface Passage {
  out(value: unknown, names: Names, none: (what: string) => void): unknown;
  in(value: unknown, find: (kind: Carried, named: Named) => string): unknown;
}

type Entries = Record<string, unknown>;

/** A map by ids becomes a list of names, each with its value. */
function mapOf(kind: Carried): Passage {
  const listSchema = z.array(z.strictObject({ of: namedSchema, value: z.unknown() })).max(1000);
  return {
    out: (value, names, none) =>
      Object.entries((value ?? {}) as Entries).flatMap(([id, each]) => {
        const of = names.nameOfId(kind, id);
        if (!of) none(kind);
        return of ? [{ of, value: each }] : [];
      }),
    in: (value, find) =>
      Object.fromEntries(listSchema.parse(value ?? []).map(({ of, value: each }) => [find(kind, of), each])),
  };
}

const urlsSchema = z.array(z.looseObject({ domain: namedSchema })).max(1000);

/** Addresses name their domain; passwords of their users are hashes, which no other console takes. */
const externalUrls: Passage = {
  out: (value, names, none) =>
    ((value ?? []) as Entries[]).flatMap((url) => {
      const domain = names.nameOfId('domains', String(url.domain));
      if (!domain) return none('domains') as never;
      if (Array.isArray(url.users) && url.users.length > 0) none('passwords of addresses');
      return [{ ...url, domain, users: [] }];
    }),
  in: (value, find) => urlsSchema.parse(value ?? []).map((url) => ({ ...url, domain: find('domains', url.domain) })),
};

/** Fields whose value holds ids, beside relations. */
export const passages: Readonly<Record<string, Passage>> = {
  'images.filePaths': mapOf('files'),
  'workspaces.volumePaths': mapOf('volumes'),
  'workspaces.externalUrls': externalUrls,
};
