import 'server-only';
import type { Readable } from 'node:stream';
import { IndexError } from '@/lib/remote/index-answer';
import { isPackageName } from '@/lib/vocabulary/image-schemas';
import { plainPackageName } from '@/lib/vocabulary/package-names';
import type { PackageManager } from '@/lib/vocabulary/package-versions';
import { type JsonMember, JsonError, parse, readMembers } from './json-members';
import type { PackageRow, VersionRow } from './list-writer';

const ENTRY_BYTES_MAX = 256 * 1024;
const NAME_MAX = 200;
const VERSION_MAX = 100;
const DESCRIPTION_MAX = 500;
/** Of one link on a page. */
const LINK_MAX = 8192;

type Fields = Record<string, unknown>;

/** Words of an index as one line of plain text; empty where they are none. */
export function toLine(text: unknown, max = DESCRIPTION_MAX): string {
  if (typeof text !== 'string') return '';
  const line = text
    .slice(0, 4 * max)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return line.length > max ? `${line.slice(0, max - 1)}…` : line;
}

export function toVersion(text: unknown): string {
  return typeof text === 'string' && /^[A-Za-z0-9][\w.!+-]*$/.test(text) && text.length <= VERSION_MAX ? text : '';
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isName(manager: PackageManager, name: unknown): name is string {
  return typeof name === 'string' && name.length <= NAME_MAX && isPackageName(manager, name);
}

/** The object that an entry is; undefined where it is something else, or too long. */
export function fieldsOf({ json }: JsonMember): Fields | undefined {
  const value = json === undefined ? undefined : parse(json);
  return isFields(value) ? value : undefined;
}

/** An IndexError in place of what is wrong with the text. */
export function toNoIndex(error: unknown, url: string): unknown {
  return error instanceof JsonError
    ? new IndexError(`${url} answers with something that is no package index.`, { cause: error })
    : error;
}

const JSON_TYPE = /^application\/(?:[\w.+-]*\+)?json\b/i;
export const isJson = (contentType: string): boolean => JSON_TYPE.test(contentType);

/** The texts of a page's links, as PEP 503 has its names and files. */
export async function* readLinks(body: AsyncIterable<Buffer>): AsyncGenerator<string[]> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    rest += decoder.decode(chunk, { stream: true });
    const found: string[] = [];
    let end = 0;
    for (const match of rest.matchAll(/<a\b[^<>]*>([^<>]{0,300})<\/a\s*>/gi)) {
      found.push(match[1]!.trim());
      end = match.index + match[0].length;
    }
    rest = rest.slice(Math.max(end, rest.length - LINK_MAX));
    yield found;
  }
}

function toPypiRow(name: unknown): PackageRow[] {
  return isName('pypi', name) && !name.includes('[') ? [[plainPackageName(name), name, '', '']] : [];
}

/** The names of a simple index's root: PEP 691, or the page of PEP 503. */
export async function* readProjects(body: Readable, contentType: string): AsyncGenerator<PackageRow[]> {
  if (!isJson(contentType)) {
    for await (const names of readLinks(body)) yield names.flatMap(toPypiRow);
    return;
  }
  for await (const members of readMembers(body, { lists: ['projects'], maxBytes: ENTRY_BYTES_MAX }))
    yield members.flatMap((member) => toPypiRow(fieldsOf(member)?.name));
}

/** The packages of a channel, with what it says of each. */
export async function* readChannelData(body: Readable): AsyncGenerator<PackageRow[]> {
  for await (const members of readMembers(body, { lists: ['packages'], maxBytes: ENTRY_BYTES_MAX })) {
    yield members.flatMap((member): PackageRow[] => {
      const fields = fieldsOf(member);
      if (!fields || !isName('conda', member.key)) return [];
      const said = toLine(fields.summary) || toLine(fields.description);
      return [[plainPackageName(member.key), member.key, said, toVersion(fields.version)]];
    });
  }
}

/** Every package file of a channel's platform, as name and version. */
export async function* readRepodata(body: Readable): AsyncGenerator<VersionRow[]> {
  const lists = ['packages', 'packages.conda'];
  for await (const members of readMembers(body, { lists, maxBytes: ENTRY_BYTES_MAX })) {
    yield members.flatMap((member): VersionRow[] => {
      const fields = fieldsOf(member);
      const version = toVersion(fields?.version);
      return version !== '' && isName('conda', fields?.name)
        ? [[plainPackageName(fields.name), fields.name, version]]
        : [];
    });
  }
}
