import path from 'node:path';
import type { Readable } from 'node:stream';
import type { FileHead, FileListing, OpenFiles } from '../../lib/protocol/file-streams';
import type { MuxStream } from '../../lib/protocol/mux-stream';
import { toMessage } from '../engines/engine-error';
import type { FoundFile } from '../engines/engine-inside';
import { answer, type AnswerSource, refuse, RefusedQuestion, watchStream } from './answers';
import { type FileTree, openWorkspaceTree, type TreeBytes } from './file-trees';
import type { Uploads } from './uploads';

export interface FileSource extends AnswerSource {
  uploads: Uploads;
}

/** Nobody takes anything, or nothing comes, for so long: a transfer keeps others from the container. */
const STALL_MS = 60_000;

/** Answers an `open` about the files of a workspace's container. */
export function serveFiles(stream: MuxStream, open: OpenFiles, source: FileSource): void {
  const tree = openWorkspaceTree(source, open.workspaceId);
  if (open.kind === 'fileWrite') source.uploads.serve(stream, open, tree);
  else if (open.kind === 'fileList') serveList(stream, tree, open.path);
  else serveRead(stream, tree, open.path);
}

export function serveList(stream: MuxStream, tree: FileTree, path: string): void {
  const signal = watchStream(stream);
  void answer(stream, () => listFolder(tree, clean(path), signal));
}

/** A file as it is, a folder as a tar. */
export function serveRead(stream: MuxStream, tree: FileTree, path: string): void {
  void sendFile(stream, clean(path), { tree, signal: watchStream(stream) });
}

async function listFolder(tree: FileTree, asked: string, signal: AbortSignal): Promise<FileListing> {
  const { path: resolved, ...found } = await requireFound(tree, asked);
  if (found.kind !== 'folder') return { ...found, entries: [], isWhole: true };
  return { ...found, ...(await tree.list(resolved, signal)) };
}

interface Context {
  tree: FileTree;
  signal: AbortSignal;
}

async function sendFile(stream: MuxStream, asked: string, { tree, signal }: Context): Promise<void> {
  let bytes: Readable;
  let lastWords: TreeBytes['lastWords'];
  let head: FileHead;
  const stalled = new AbortController();
  try {
    const found = await requireFound(tree, asked);
    head = headOf(found);
    const either = AbortSignal.any([signal, stalled.signal]);
    ({ bytes, lastWords } = await tree.read(found.path, head.kind, either));
  } catch (error) {
    return refuse(stream, error);
  }
  // The reader may be so slow that the next of them is not asked for.
  bytes.on('error', (error) => stream.fail(toMessage(error)));
  const watch = watchStall(() => {
    stalled.abort();
    bytes.destroy(new Error('Nothing has moved for a minute, so the transfer was ended.'));
  });
  try {
    await stream.write(Buffer.from(`${JSON.stringify(head)}\n`, 'utf8'));
    await sendBytes(stream, bytes, { size: head.size, onMoved: watch.moved });
    stream.end({ code: null, message: lastWords() });
  } catch (error) {
    // The reader must not take what it has for the whole.
    stream.fail(toMessage(error));
  } finally {
    watch.stop();
    bytes.destroy();
  }
}

/** Of a file just as many bytes as were said: one that grows meanwhile is as it was, one that shrinks is not whole. */
async function sendBytes(
  stream: MuxStream,
  bytes: Readable,
  { size, onMoved }: { size: number | null; onMoved: () => void },
): Promise<void> {
  let left = size ?? Infinity;
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    const part = chunk.length > left ? chunk.subarray(0, left) : chunk;
    left -= part.length;
    await stream.write(part);
    onMoved();
    if (left === 0) return;
  }
  if (size !== null && left > 0) throw new Error('The file became shorter while it was read.');
}

export function watchStall(onStall: () => void): { moved: () => void; stop: () => void } {
  const timer = setTimeout(onStall, STALL_MS);
  return { moved: () => void timer.refresh(), stop: () => clearTimeout(timer) };
}

async function requireFound(tree: FileTree, path: string): Promise<FoundFile> {
  const found = await tree.find(path);
  if (found) return found;
  throw new RefusedQuestion('missing', `There is no ${path} in the ${tree.what}.`);
}

/** The kernel's own files have no size until they are read. */
function headOf({ kind, size, path: where }: FoundFile): FileHead {
  if (kind === 'folder') return { kind, size: null };
  if (kind === 'file') return { kind, size: size === 0 ? null : size };
  const what = kind === 'link' ? 'a link that leads nowhere' : kind === 'device' ? 'a device' : 'a pipe or a socket';
  throw new RefusedQuestion('invalid', `${where} is ${what}: there is nothing to download.`);
}

/** Without `..`, double slashes and a slash at the end: as the engine would read it. */
function clean(asked: string): string {
  const normal = path.posix.normalize(asked);
  return normal.length > 1 ? normal.replace(/\/$/, '') : normal;
}
