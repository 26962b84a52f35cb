import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ContextFileSpec } from '../../lib/protocol/specs/job';
import type { BuildFile, JobOptions } from '../engines/engine';
import { EngineError, toMessage } from '../engines/engine-error';

export interface FileSources {
  /** A folder of the agent's own, for what builds read. */
  folder: string;
  openUpload(jobId: string, file: string, signal: AbortSignal): Promise<Readable>;
  openWeb(url: string, signal: AbortSignal): Promise<Readable>;
}

/** The files of builds, on the agent's disk for as long as the build takes: none is held in memory. */
export class BuildFiles {
  private cleared: Promise<void> = Promise.resolve();

  constructor(private readonly sources: FileSources) {}

  /** Takes away what an agent before this one has left. Builds wait for it. */
  clear(onError: (error: unknown) => void): void {
    this.cleared = rm(this.sources.folder, { recursive: true, force: true }).catch(onError);
  }

  /** Gets every file of a build, then calls back with them. */
  async use<T>(
    { jobId, context }: { jobId: string; context: readonly ContextFileSpec[] },
    options: JobOptions,
    build: (files: BuildFile[]) => Promise<T>,
  ): Promise<T> {
    const folder = path.join(this.sources.folder, encodeURIComponent(jobId));
    await this.cleared;
    try {
      const files: BuildFile[] = [];
      for (const [index, file] of context.entries()) {
        options.signal.throwIfAborted();
        files.push(await this.take(file, { jobId, target: path.join(folder, String(index)), options }));
      }
      return await build(files);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  private async take(
    file: ContextFileSpec,
    { jobId, target, options }: { jobId: string; target: string; options: JobOptions },
  ): Promise<BuildFile> {
    const at = { path: file.path, mode: file.mode };
    if (file.from === 'text') return { ...at, ...ofText(file.text) };
    await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
    const what = file.from === 'web' ? file.url : `/${file.path}`;
    try {
      const { signal } = options;
      if (file.from === 'web') {
        options.log(`Fetching ${what}\n`);
        await store(await this.sources.openWeb(file.url, signal), { target, maxBytes: file.maxBytes, signal });
      } else {
        const stream = await this.sources.openUpload(jobId, file.file, signal);
        const sha256 = await store(stream, { target, maxBytes: file.sizeBytes, signal });
        if (sha256 !== file.sha256) throw new Error('it is not what the build was asked for with');
      }
    } catch (error) {
      if (options.signal.aborted || error instanceof EngineError) throw error;
      throw new EngineError('failed', `The file ${what} could not be had: ${toMessage(error)}`, { cause: error });
    }
    return { ...at, sizeBytes: (await stat(target)).size, open: () => createReadStream(target) };
  }
}

function ofText(text: string): Pick<BuildFile, 'sizeBytes' | 'bytes'> {
  const bytes = Buffer.from(text);
  return { sizeBytes: bytes.length, bytes };
}

/** Writes a stream to disk; its SHA-256. Throws past the limit, whatever the sender says of the size. */
async function store(
  stream: Readable,
  { target, maxBytes, signal }: { target: string; maxBytes: number; signal: AbortSignal },
): Promise<string> {
  const hash = createHash('sha256');
  let bytes = 0;
  const count = new Transform({
    transform(chunk: Buffer, _, done) {
      bytes += chunk.length;
      hash.update(chunk);
      if (bytes > maxBytes) done(new Error(`it is larger than ${maxBytes} bytes`));
      else done(null, chunk);
    },
  });
  await pipeline(stream, count, createWriteStream(target, { mode: 0o600 }), { signal });
  return hash.digest('hex');
}
