import { once } from 'node:events';
import { Readable, Transform, type TransformCallback } from 'node:stream';
import type Docker from 'dockerode';
import { EngineError } from '../../engine-error';
import { ask } from '../docker-client';
import { endProcesses } from '../docker-terminals';
import { readMark } from '../../../terminal-mark';

const HEADER_BYTES = 8;
const STDOUT = 1;
const KINDS = 2;
const START_PATIENCE_MS = 10_000;
/** A program that can't be run: then the engine's own words come in the place of frames. */
const NO_FRAME = 'The container printed what is no output';

/** Says that the script can do its work, and which process it is, in the way of the terminals' start script. */
export const MARK = [`IFS= read -r s </proc/$$/stat`, `printf '\\033]7700;%s;sh;%s\\007' "$$" "\${s##*) }"`].join('\n');

interface Run {
  containerId: string;
  /** For `sh`: prints `MARK` once it knows that it can. */
  script: string;
  /** Its `$1`, `$2` … */
  args: readonly string[];
  signal: AbortSignal;
}

/**
 * Runs a script in a container that runs, as its root, and answers what it prints, at the reader's pace; that breaks off
 * with an error when the script fails. Undefined where it can't do its work there: no shell, or not the programs that it
 * needs. Its processes end when the output is no longer read.
 */
export async function runInside(docker: Docker, run: Run): Promise<Readable | undefined> {
  const { containerId, script, args, signal } = run;
  const exec = await ask(() =>
    docker.getContainer(containerId).exec({
      Cmd: ['sh', '-c', script, 'sh', ...args],
      User: '0',
      WorkingDir: '/',
      AttachStdout: true,
      AttachStderr: true,
    }),
  );
  const raw = await ask(() => exec.start({}));
  const frames = raw.pipe(new StdoutOnly());
  raw.on('error', (error) => frames.destroy(error));
  // Whoever reads it hears of it.
  frames.on('error', () => undefined);
  raw.on('close', () => frames.end());
  const patience = AbortSignal.any([signal, AbortSignal.timeout(START_PATIENCE_MS)]);
  const begun = await readBegin(frames, patience);
  if (!begun) {
    raw.destroy();
    frames.destroy();
    if (signal.aborted) throw new EngineError('cancelled', 'Cancelled');
    return undefined;
  }
  return toOutput({ frames, first: begun.rest, end, exitCode, signal });

  /** Closing the engine's stream ends nothing. */
  async function end(): Promise<void> {
    raw.destroy();
    frames.destroy();
    if (begun?.mark) await endProcesses(docker, containerId, begun.mark);
  }
  async function exitCode(): Promise<number | null> {
    return (await ask(() => exec.inspect())).ExitCode;
  }
}

async function readBegin(frames: Readable, signal: AbortSignal): Promise<{ mark: string; rest: Buffer } | undefined> {
  let held: Buffer = Buffer.alloc(0);
  for (;;) {
    const chunk = frames.read() as Buffer | null;
    if (chunk) {
      held = Buffer.concat([held, chunk]);
      const read = readMark(held);
      if (read) return read.found && { mark: read.found.mark, rest: read.rest };
      continue;
    }
    if (frames.readableEnded || frames.destroyed || signal.aborted) return undefined;
    const woken = new AbortController();
    const events = ['readable', 'end', 'close', 'error'].map((event) =>
      once(frames, event, { signal: AbortSignal.any([signal, woken.signal]) }).catch(() => undefined),
    );
    await Promise.race(events);
    woken.abort();
  }
}

interface Output {
  frames: StdoutOnly;
  first: Buffer;
  end: () => Promise<void>;
  exitCode: () => Promise<number | null>;
  signal: AbortSignal;
}

function toOutput({ frames, first, end, exitCode, signal }: Output): Readable {
  let isWhole = false;
  async function* bytes(): AsyncGenerator<Buffer> {
    if (first.length > 0) yield first;
    for await (const chunk of frames) yield chunk as Buffer;
    isWhole = !signal.aborted;
    const code = await exitCode();
    // `tar` ends with 1 where a file changed while it was read.
    if (code !== 0 && code !== 1) throw new EngineError('failed', frames.complaint || `It ended with code ${code}`);
  }
  const output = Readable.from(bytes(), { objectMode: false });
  const stop = (): void => void output.destroy(new EngineError('cancelled', 'Cancelled'));
  signal.addEventListener('abort', stop, { once: true });
  // Whoever reads it hears of it.
  output.on('error', () => undefined);
  // Not in the generator: one that was never asked for anything would not come to its end.
  output.once('close', () => {
    signal.removeEventListener('abort', stop);
    if (!isWhole) end().catch(() => undefined);
  });
  return output;
}

/** Of the engine's multiplexed output the part that was printed; of the complaints the last words. */
class StdoutOnly extends Transform {
  complaint = '';
  private head: Buffer = Buffer.alloc(0);
  private kind = 0;
  private left = 0;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let rest = chunk;
    while (rest.length > 0) {
      if (this.left > 0) {
        const part = rest.subarray(0, this.left);
        rest = rest.subarray(part.length);
        this.left -= part.length;
        if (this.kind === STDOUT) this.push(part);
        else this.complaint = (this.complaint + part.toString('utf8')).slice(-1000);
        continue;
      }
      const missing = HEADER_BYTES - this.head.length;
      this.head = Buffer.concat([this.head, rest.subarray(0, missing)]);
      rest = rest.subarray(missing);
      if (this.head.length < HEADER_BYTES) continue;
      this.kind = this.head[0]!;
      this.left = this.head.readUInt32BE(4);
      this.head = Buffer.alloc(0);
      if (this.kind > KINDS) return done(new EngineError('failed', NO_FRAME));
    }
    done();
  }
}
