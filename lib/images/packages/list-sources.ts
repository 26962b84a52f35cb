import 'server-only';
import { askIndex, IndexError, type IndexAnswer, toIndexError } from '@/lib/remote/index-answer';
import { type ListWriter, ListWriteError, type PackageRow, type VersionRow } from './list-writer';
import { readChannelData, readProjects, readRepodata, toNoIndex } from './read-lists';
import { channelSource, pypiSource, type PackageSource } from './sources';

const MB = 1_000_000;
const MAX_BYTES = { names: 120 * MB, channel: 250 * MB, repodata: 1000 * MB };
/** Rows that go to the writer at once. */
const BATCH = 2000;
/** What channels are asked for: what runs anywhere, and what most hosts are. */
const PLATFORMS = ['noarch', 'linux-64'];

export const SIMPLE_TYPES =
  'application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.1';

/** The index has no such list. */
export class NoSuchList extends IndexError {}

/** A list that is kept as a file. */
export interface ListSource {
  /** Tells the file from others. */
  id: string;
  /** Fills a writer, and says by which tags the index knows what came. Undefined where nothing is newer than `etag`. Throws IndexError. */
  fill(options: { etag: string; signal: AbortSignal; open: () => ListWriter }): Promise<string | undefined>;
}

interface Part {
  url: string;
  accept: string;
  maxBytes: number;
  read(body: IndexAnswer): AsyncIterable<PackageRow[] | VersionRow[]>;
}

/** The names of the pypi index. */
export function pypiNames(): ListSource {
  const source = pypiSource();
  const part = {
    url: `${source.url}/`,
    accept: SIMPLE_TYPES,
    maxBytes: MAX_BYTES.names,
    read: ({ body, contentType }: IndexAnswer) => readProjects(body, contentType),
  };
  return { id: `pypi ${source.url}`, fill: (options) => fill(source, [part], options) };
}

/** The names of a conda channel with what it says of them. Not every channel has them: NoSuchList. */
export function channelNames(channel: string): ListSource {
  const source = channelSource(channel);
  const part = {
    url: `${source.url}/channeldata.json`,
    accept: 'application/json',
    maxBytes: MAX_BYTES.channel,
    read: ({ body }: IndexAnswer) => readChannelData(body),
  };
  return { id: `conda ${source.url}`, fill: (options) => fill(source, [part], options) };
}

/** The names and versions of a conda channel. */
export function channelVersions(channel: string): ListSource {
  const source = channelSource(channel);
  const parts = PLATFORMS.map((platform) => ({
    url: `${source.url}/${platform}/repodata.json`,
    accept: 'application/json',
    maxBytes: MAX_BYTES.repodata,
    read: ({ body }: IndexAnswer) => readRepodata(body),
  }));
  return { id: `versions ${source.url}`, fill: (options) => fill(source, parts, options) };
}

/** One part after the other goes into the same list; a part that is missing is left out where there is another. */
async function fill(
  source: PackageSource,
  parts: readonly Part[],
  { etag, signal, open }: Parameters<ListSource['fill']>[0],
): Promise<string | undefined> {
  const ask = ({ url, accept, maxBytes }: Part, known: string) =>
    askIndex({ ...source, url, accept, maxBytes, signal, etag: known });
  const known = readTags(etag, parts.length);
  if (known && (await isUnchanged(parts, known, ask))) return undefined;
  const tags: string[] = [];
  let writer: ListWriter | undefined;
  let count = 0;
  for (const part of parts) {
    const answer = await ask(part, '');
    tags.push(answer.status === 200 ? answer.etag : '404');
    if (answer.status !== 200) continue;
    writer ??= open();
    count += await copy(part, answer, writer);
  }
  const first = parts[0]!.url;
  if (!writer) throw new NoSuchList(`${first} is not there: the index answers with status 404.`);
  if (count === 0) throw new IndexError(`${first} names no package at all: it is no package index, or an empty one.`);
  return JSON.stringify(tags);
}

/** The tags of before, where there is one for each part. */
function readTags(etag: string, count: number): string[] | undefined {
  const tags: unknown = etag === '' ? [] : JSON.parse(etag);
  return Array.isArray(tags) && tags.length === count && tags.every((tag) => typeof tag === 'string' && tag !== '')
    ? (tags as string[])
    : undefined;
}

async function isUnchanged(
  parts: readonly Part[],
  known: readonly string[],
  ask: (part: Part, known: string) => Promise<IndexAnswer>,
): Promise<boolean> {
  for (const [index, part] of parts.entries()) {
    const tag = known[index]!;
    const { status, body } = await ask(part, tag === '404' ? '' : tag);
    body.on('error', () => undefined).destroy();
    if (status !== (tag === '404' ? 404 : 304)) return false;
  }
  return true;
}

async function copy(part: Part, answer: IndexAnswer, writer: ListWriter): Promise<number> {
  let batch: (PackageRow | VersionRow)[] = [];
  let count = 0;
  const send = async () => {
    const rows = batch;
    batch = [];
    count += rows.length;
    await writer.order(isVersions(rows) ? { versions: rows } : { packages: rows as PackageRow[] });
  };
  try {
    for await (const rows of part.read(answer)) {
      batch.push(...rows);
      if (batch.length >= BATCH) await send();
    }
    if (batch.length > 0) await send();
    return count;
  } catch (error) {
    throw error instanceof ListWriteError ? error : toIndexError(toNoIndex(error, part.url), part.url);
  } finally {
    answer.body.destroy();
  }
}

const isVersions = (rows: (PackageRow | VersionRow)[]): rows is VersionRow[] => rows[0]?.length === 3;
