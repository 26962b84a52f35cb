import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type Docker from 'dockerode';
import { extract, pack, type Header } from 'tar-stream';
import type { FileEntry, FileKind } from '../../../../lib/protocol/file-streams';
import { EngineError } from '../../engine-error';
import { type FolderEntries, LIST_LIMITS, type NewFile } from '../../engine-inside';
import { openStream } from '../docker-client';

interface Asked {
  containerId: string;
  path: string;
  signal: AbortSignal;
}

const KINDS: Readonly<Record<string, FileKind>> = {
  file: 'file',
  'contiguous-file': 'file',
  // The second name of a file that the archive holds already.
  link: 'file',
  directory: 'folder',
  symlink: 'link',
  'character-device': 'device',
  'block-device': 'device',
};
const FILE_MODE = 0o644;
const REPLACED = '\uFFFD';

/** The engine's archive of a path, as it comes. */
export function openArchive(docker: Docker, { containerId, path, signal }: Asked): Promise<Readable> {
  return openStream(docker, { method: 'GET', path: `/containers/${containerId}/archive?`, query: { path }, signal });
}

/**
 * What lies in a folder, by the heads in its archive. That holds all that lies below it as well, so that what is large
 * is read up to a limit, and said to be more.
 */
export async function listArchive(docker: Docker, asked: Asked): Promise<FolderEntries> {
  const archive = await openFolder(docker, asked);
  const entries: FileEntry[] = [];
  const { isOver, end } = bound(archive);
  let base: string | undefined;
  try {
    for await (const { header, entry } of entriesOf(archive)) {
      if (base === undefined) base = baseOf(header);
      else {
        const name = header.name.slice(base.length).replace(/\/$/, '');
        if (name !== '' && !name.includes('/')) entries.push(toEntry(name, header));
      }
      if (entries.length > LIST_LIMITS.entries)
        return { entries: entries.slice(0, LIST_LIMITS.entries), isWhole: false };
      entry.resume();
    }
    return { entries, isWhole: true };
  } catch (error) {
    if (isOver()) return { entries, isWhole: false };
    throw error;
  } finally {
    end();
    archive.destroy();
  }
}

/** Breaks an archive off where it is too large, or takes too long. */
function bound(archive: Readable): { isOver: () => boolean; end: () => void } {
  let left: number = LIST_LIMITS.bytes;
  let isOver = false;
  const cut = (): void => {
    isOver = true;
    archive.destroy();
  };
  const timer = setTimeout(cut, LIST_LIMITS.ms);
  archive.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) cut();
  });
  return { isOver: () => isOver, end: () => clearTimeout(timer) };
}

/** The bytes of the one file that an archive holds. */
export function fileOfArchive(archive: Readable): Readable {
  async function* content(): AsyncGenerator<Buffer> {
    for await (const { header, entry } of entriesOf(archive)) {
      if (KINDS[header.type ?? ''] !== 'file') throw new EngineError('invalid', 'This is no file any more.');
      yield* entry as AsyncIterable<Buffer>;
      return;
    }
  }
  const bytes = Readable.from(content(), { objectMode: false });
  // Whoever reads them hears of it.
  bytes.on('error', () => undefined);
  bytes.once('close', () => archive.destroy());
  return bytes;
}

/** Puts one file into a folder, for whom the folder belongs to. */
export async function putFile(docker: Docker, folder: Asked, { name, size, bytes }: NewFile): Promise<void> {
  const { containerId, path, signal } = folder;
  const { uid, gid } = await readOwner(docker, folder);
  const archive = pack();
  const put = openStream(docker, {
    method: 'PUT',
    path: `/containers/${containerId}/archive?`,
    query: { path, noOverwriteDirNonDir: 1 },
    body: archive as unknown as NodeJS.ReadableStream,
    headers: { 'content-type': 'application/x-tar' },
    signal,
  });
  const head = { name, size, mode: FILE_MODE, uid, gid, mtime: new Date() };
  const fill = async (): Promise<void> => {
    await pipeline(bytes, archive.entry(head), { signal });
    archive.finalize();
  };
  const filled = fill().catch((error: unknown) => {
    archive.destroy(error as Error);
    throw error;
  });
  // The engine may refuse before it has taken all.
  filled.catch(() => undefined);
  const answer = await put;
  answer.resume();
  await filled;
}

async function readOwner(docker: Docker, folder: Asked): Promise<{ uid: number; gid: number }> {
  const archive = await openFolder(docker, folder);
  try {
    for await (const { header } of entriesOf(archive)) return { uid: header.uid ?? 0, gid: header.gid ?? 0 };
    return { uid: 0, gid: 0 };
  } finally {
    archive.destroy();
  }
}

function openFolder(docker: Docker, asked: Asked): Promise<Readable> {
  return openArchive(docker, { ...asked, path: `${asked.path.replace(/\/$/, '')}/.` });
}

interface TarEntry {
  header: Header;
  entry: Readable;
}

/** Each entry has to be read, or resumed, before the next one comes. */
export async function* entriesOf(archive: Readable): AsyncGenerator<TarEntry> {
  const parser = extract();
  archive.on('error', (error) => parser.destroy(error));
  // One that is cut off in the middle says nothing by itself.
  archive.on('close', () => archive.readableEnded || parser.destroy(new Error('The archive broke off')));
  archive.pipe(parser as unknown as NodeJS.WritableStream);
  try {
    for await (const entry of parser as AsyncIterable<Readable & { header: Header }>) {
      yield { header: entry.header, entry };
    }
  } finally {
    archive.unpipe();
  }
}

/** What the names of a folder's entries begin with. */
function baseOf({ name, type }: Header): string {
  if (type !== 'directory') throw new EngineError('invalid', 'This is no folder.');
  return name.endsWith('/') || name === '' ? name : `${name}/`;
}

function toEntry(name: string, { type, size, mtime }: Header): FileEntry {
  const kind = KINDS[type ?? ''] ?? 'other';
  return {
    name,
    kind,
    size: kind === 'file' ? (size ?? 0) : 0,
    changed: Math.floor((mtime?.getTime() ?? 0) / 1000),
    isNameWhole: !name.includes(REPLACED),
  };
}
