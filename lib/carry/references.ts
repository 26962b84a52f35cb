import 'server-only';
import { z } from 'zod';
import { nowMs } from '@/lib/clock';
import { type Carried, type Named, namedSchema } from './format';
import type { Names } from './names';

/** A field with ids inside, as it is carried: names in their place. `none` is told of what could not be named. */
interface Passage {
  out(value: unknown, names: Names, none: (what: string) => void): unknown;
  in(value: unknown, find: (kind: Carried, named: Named) => string): unknown;
}

type Entries = Record<string, unknown>;

function leave(none: (what: string) => void, what: string): [] {
  none(what);
  return [];
}

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

/**
 * Addresses name their domain. Passwords are hashes, which no other console takes: addresses with them stay behind, as they
 * would be open to everybody without.
 */
const externalUrls: Passage = {
  out: (value, names, none) =>
    ((value ?? []) as Entries[]).flatMap((url) => {
      const domain = names.nameOfId('domains', String(url.domain));
      if (!domain) return leave(none, 'domains');
      if (url.authentication === 'basic') return leave(none, 'addresses with passwords');
      return [{ ...url, domain, users: [] }];
    }),
  in: (value, find) => urlsSchema.parse(value ?? []).map((url) => ({ ...url, domain: find('domains', url.domain) })),
};

const sharesSchema = z.array(z.looseObject({})).max(1000);

const isOver = ({ level, until }: Entries): boolean => level === 'public' && Date.parse(String(until)) <= nowMs();

/** A port whose time in public is over is shared with nobody any more. */
const portShares: Passage = {
  out: (value, _, none) =>
    ((value ?? []) as Entries[]).flatMap((share) =>
      isOver(share) ? leave(none, 'public ports whose date has passed') : [share],
    ),
  in: (value) => sharesSchema.parse(value ?? []).filter((share) => !isOver(share)),
};

/** Fields whose value holds ids, beside relations. */
export const passages: Readonly<Record<string, Passage>> = {
  'images.filePaths': mapOf('files'),
  'workspaces.volumePaths': mapOf('volumes'),
  'workspaces.externalUrls': externalUrls,
  'workspaces.portShares': portShares,
};
