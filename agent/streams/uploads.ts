import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open as openFile, readdir, rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import type { OpenFileWrite } from '../../lib/protocol/file-streams';
import type { MuxStream } from '../../lib/protocol/mux-stream';
import { answer, RefusedQuestion } from './answers';
import type { FileTree } from './file-trees';
import { Incoming } from './incoming';

const AT_ONCE = 4;
/** What an upload has to leave free on the disk of the agent's state. */
const SPARE_BYTES = 256 * 1024 * 1024;

type NewFileOpen = Omit<OpenFileWrite, 'kind' | 'workspaceId'>;

/**
 * Files on their way into containers and volumes. Each lies in the agent's state folder until it is whole: one that breaks off leaves
 * nothing there, and a slow line doesn't keep the engine from the container.
 */
export class Uploads {
  private readonly folder: string;
  private running = 0;
  private made = 0;
  private ready: Promise<void> | undefined;

  constructor(stateDir: string) {
    this.folder = path.join(stateDir, 'uploads');
  }

  serve(stream: MuxStream, open: NewFileOpen, tree: FileTree): void {
    const incoming = new Incoming(stream, open.size);
    void answer(stream, () => this.take(open, { incoming, tree })).finally(() => incoming.stop());
  }

  private async take(open: NewFileOpen, { incoming, tree }: Taking): Promise<{ written: number }> {
    if (this.running >= AT_ONCE) {
      throw new RefusedQuestion('busy', `This host takes ${AT_ONCE} uploads at once. Try again in a while.`);
    }
    this.running += 1;
    const spool = path.join(this.folder, `${process.pid}-${(this.made += 1)}`);
    try {
      const asked = path.posix.normalize(open.path);
      await requireTarget(tree, asked, open);
      await this.prepare(open.size);
      const file = await openFile(spool, 'wx', 0o600);
      await writeTo(file, incoming).finally(() => file.close());
      const bytes = createReadStream(spool);
      const folder = await requireFolder(tree, asked);
      await tree.write(folder, { name: open.name, size: open.size, bytes }, incoming.signal);
      return { written: open.size };
    } finally {
      this.running -= 1;
      await rm(spool, { force: true });
    }
  }

  /** What an agent before this one has left goes first. */
  private async prepare(size: number): Promise<void> {
    this.ready ??= (async () => {
      await mkdir(this.folder, { recursive: true, mode: 0o700 });
      for (const name of await readdir(this.folder)) await rm(path.join(this.folder, name), { force: true });
    })();
    await this.ready;
    const { bavail, bsize } = await statfs(this.folder);
    if (bavail * bsize >= size + SPARE_BYTES) return;
    throw new RefusedQuestion('full', 'The host has too little free disk space to take this file.');
  }
}

interface Taking {
  incoming: Incoming;
  tree: FileTree;
}

async function requireFolder(tree: FileTree, asked: string): Promise<string> {
  const found = await tree.find(asked);
  if (found?.kind === 'folder') return found.path;
  const what = found ? 'is no folder' : 'is not there';
  throw new RefusedQuestion(found ? 'invalid' : 'missing', `${asked} ${what}.`);
}

async function requireTarget(tree: FileTree, asked: string, { name, replaces }: NewFileOpen): Promise<void> {
  if (name.includes('/') || name.includes('\0') || name === '.' || name === '..') {
    throw new RefusedQuestion('invalid', 'This is no name of a file.');
  }
  const folder = await requireFolder(tree, asked);
  const target = await tree.find(path.posix.join(folder, name));
  if (!target) return;
  if (target.kind === 'folder') throw new RefusedQuestion('invalid', `There is a folder named ${name}.`);
  if (!replaces) throw new RefusedQuestion('exists', `There is a file named ${name} already.`);
}

async function writeTo(file: FileHandle, incoming: Incoming): Promise<void> {
  for await (const chunk of incoming.chunks()) await file.appendFile(chunk);
}
