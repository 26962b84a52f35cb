import { createReadStream } from 'node:fs';
import { mkdir, open as openFile, readdir, rm, statfs, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import type { OpenFileWrite } from '../../lib/protocol/file-streams';
import type { MuxStream } from '../../lib/protocol/mux-stream';
import { answer, type AnswerSource, RefusedQuestion, requirePlace } from './answers';

const AT_ONCE = 4;
/** What an upload has to leave free on the disk of the agent's state. */
const SPARE_BYTES = 256 * 1024 * 1024;
const STALL_MS = 60_000;

/**
 * Files on their way into containers. Each lies in the agent's state folder until it is whole: one that breaks off leaves
 * nothing in the container, and a slow line doesn't keep the engine from the container.
 */
export class Uploads {
  private readonly folder: string;
  private running = 0;
  private made = 0;
  private ready: Promise<void> | undefined;

  constructor(stateDir: string) {
    this.folder = path.join(stateDir, 'uploads');
  }

  serve(stream: MuxStream, open: OpenFileWrite, source: AnswerSource): void {
    const incoming = new Incoming(stream, open.size);
    void answer(stream, () => this.take(open, { incoming, source })).finally(() => incoming.stop());
  }

  private async take(open: OpenFileWrite, { incoming, source }: Taking): Promise<{ written: number }> {
    if (this.running >= AT_ONCE) {
      throw new RefusedQuestion('busy', `This host takes ${AT_ONCE} uploads at once. Try again in a while.`);
    }
    this.running += 1;
    const spool = path.join(this.folder, `${process.pid}-${(this.made += 1)}`);
    try {
      const place = await requirePlace(source, open.workspaceId, path.posix.normalize(open.path));
      await requireTarget(source, place, open);
      await this.prepare(open.size);
      const file = await openFile(spool, 'wx', 0o600);
      await incoming.writeTo(file).finally(() => file.close());
      const bytes = createReadStream(spool);
      const folder = await requireFolder(source, place);
      await source.engine.inside.write(folder, { name: open.name, size: open.size, bytes }, incoming.signal);
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
  source: AnswerSource;
}

type Place = Awaited<ReturnType<typeof requirePlace>>;

async function requireFolder({ engine }: AnswerSource, place: Place): Promise<Place> {
  const found = await engine.inside.find(place);
  if (found?.kind === 'folder') return { ...place, path: found.path };
  const what = found ? 'is no folder' : 'is not there';
  throw new RefusedQuestion(found ? 'invalid' : 'missing', `${place.path} ${what}.`);
}

async function requireTarget(source: AnswerSource, place: Place, { name, replaces }: OpenFileWrite): Promise<void> {
  if (name.includes('/') || name.includes('\0') || name === '.' || name === '..') {
    throw new RefusedQuestion('invalid', 'This is no name of a file.');
  }
  const folder = await requireFolder(source, place);
  const target = await source.engine.inside.find({ ...folder, path: path.posix.join(folder.path, name) });
  if (!target) return;
  if (target.kind === 'folder') throw new RefusedQuestion('invalid', `There is a folder named ${name}.`);
  if (!replaces) throw new RefusedQuestion('exists', `There is a file named ${name} already.`);
}

/** The bytes of an upload as they come; the sender gets credit as they are on the disk. */
class Incoming {
  private readonly chunks: Buffer[] = [];
  private readonly over = new AbortController();
  private readonly stalled: NodeJS.Timeout;
  private wake: () => void = () => undefined;

  constructor(
    private readonly stream: MuxStream,
    private readonly size: number,
  ) {
    const stop = (): void => {
      this.over.abort();
      this.wake();
    };
    this.stalled = setTimeout(stop, STALL_MS);
    stream.listen({
      onData: (chunk) => {
        this.chunks.push(chunk);
        this.wake();
      },
      onEnd: stop,
      onError: stop,
    });
  }

  /** Fires when the sender has gone. */
  get signal(): AbortSignal {
    return this.over.signal;
  }

  stop(): void {
    clearTimeout(this.stalled);
  }

  async writeTo(file: FileHandle): Promise<void> {
    let left = this.size;
    while (left > 0) {
      const chunk = this.chunks.shift();
      if (!chunk) {
        if (this.over.signal.aborted) throw new RefusedQuestion('failed', 'The upload broke off.');
        await new Promise<void>((resolve) => (this.wake = resolve));
        continue;
      }
      if (chunk.length > left) throw new RefusedQuestion('invalid', 'More bytes came than were said.');
      await file.appendFile(chunk);
      left -= chunk.length;
      this.stalled.refresh();
      this.stream.consumed(chunk.length);
    }
    clearTimeout(this.stalled);
  }
}
