import type { Duplex } from 'node:stream';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type Docker from 'dockerode';
import type { TerminalSize } from '../../../lib/protocol/streams';
import { readMark, type TerminalMark } from '../../terminal-mark';
import { waitFor } from '../../wait';
import { EngineError } from '../engine-error';
import type { ExecRequest } from '../engine';
import type { Terminal } from '../terminal';
import { ask } from './docker-client';
import { SIGNAL_SCRIPT, SIGNALLED, START_SCRIPT } from './terminal-scripts';

/** Docker keeps a key back that may begin its own way out, `ctrl-p` by default: this one nobody types. */
export const DETACH_KEYS = 'ctrl-^,ctrl-@,ctrl-^,ctrl-@,ctrl-^';
const ENVIRONMENT = ['TERM=xterm-256color', 'COLORTERM=truecolor'];
/** How long programs have to leave by themselves. */
const HANGUP_PATIENCE_MS = 1000;
const HANGUP_LOOK_MS = 100;
const START_PATIENCE_MS = 15_000;
const NO_SHELL = /executable file not found|no such file or directory/i;
const CTRL_C = Buffer.from([3]);
const CTRL_BACKSLASH = Buffer.from([28]);

/** Runs a command or a shell in a container. Throws an EngineError with the engine's words. */
export async function execTerminal(docker: Docker, containerId: string, request: ExecRequest): Promise<Terminal> {
  const withShell = await start(docker, containerId, {
    ...request,
    words: ['sh', '-c', START_SCRIPT, 'sh', request.command],
    isMarked: true,
  });
  if (withShell.found) return withShell;
  const words = withShell.failure;
  if (!NO_SHELL.test(words) || !/"sh"/.test(words)) throw new EngineError('invalid', words || 'The command has ended.');
  if (request.words.length === 0) {
    throw new EngineError('invalid', 'The image of this workspace has no shell. Give a command that it has.');
  }
  // Nothing in the container can end it later: it is interrupted by its terminal then.
  return start(docker, containerId, { ...request, isMarked: false });
}

interface Start extends ExecRequest {
  isMarked: boolean;
}

async function start(docker: Docker, containerId: string, request: Start): Promise<ExecTerminal> {
  const { words, user, workdir, size } = request;
  const exec = await ask(() =>
    docker.getContainer(containerId).exec({
      Cmd: words,
      Env: ENVIRONMENT,
      Tty: true,
      AttachStdin: true,
      AttachStdout: true,
      AttachStderr: true,
      DetachKeys: DETACH_KEYS,
      ...(user !== '' && { User: user }),
      ...(workdir !== '' && { WorkingDir: workdir }),
    }),
  );
  const ConsoleSize = [size.rows, size.cols];
  const stream = await ask(() =>
    exec.start({ hijack: true, stdin: true, Tty: true, ConsoleSize } as Docker.ExecStartOptions),
  );
  const terminal = new ExecTerminal(docker, { containerId, exec, stream });
  await terminal.begin(request);
  return terminal;
}

interface ExecParts {
  containerId: string;
  exec: Docker.Exec;
  stream: Duplex;
}

class ExecTerminal implements Terminal {
  readonly output = new PassThrough({ highWaterMark: 64 * 1024 });
  readonly takesInput = true;
  found: TerminalMark | undefined;
  /** What the engine said where nothing could be run. */
  failure = '';

  constructor(
    private readonly docker: Docker,
    private readonly parts: ExecParts,
  ) {
    parts.stream.on('error', () => this.output.end());
  }

  get program(): string {
    return this.found?.program ?? '';
  }

  get mark(): string {
    return this.found?.mark ?? '';
  }

  /** Waits for the first words: those of the start script, or why it could not be run. */
  async begin({ isMarked, size }: Start): Promise<void> {
    const { stream } = this.parts;
    let held: Buffer = Buffer.alloc(0);
    while (isMarked) {
      const chunk = await this.nextChunk();
      held = Buffer.concat([held, chunk ?? Buffer.alloc(0)]);
      const read = readMark(held);
      if (!read && chunk) continue;
      this.found = read?.found;
      held = read?.rest ?? held;
      break;
    }
    if (isMarked && !this.found) {
      this.failure = await this.readFailure(held);
      return;
    }
    this.output.write(held);
    stream.pipe(this.output);
    await this.resize(size).catch(() => undefined);
  }

  async write(bytes: Buffer): Promise<void> {
    const { stream } = this.parts;
    if (!stream.write(bytes)) await Promise.race([once(stream, 'drain'), once(stream, 'close')]);
  }

  async resize({ cols, rows }: TerminalSize): Promise<void> {
    await ask(() => this.parts.exec.resize({ w: cols, h: rows }));
  }

  async exitCode(): Promise<number | null> {
    const { ExitCode } = await ask(() => this.parts.exec.inspect());
    return ExitCode;
  }

  async close(): Promise<string> {
    const { containerId, stream } = this.parts;
    try {
      if (this.mark !== '') await endProcesses(this.docker, containerId, this.mark);
      else return await this.interrupt();
    } finally {
      stream.destroy();
    }
    return '';
  }

  /** For what runs in an image without a shell. */
  private async interrupt(): Promise<string> {
    const { exec, stream } = this.parts;
    for (const key of [CTRL_C, CTRL_BACKSLASH]) {
      if (!stream.destroyed) stream.write(key);
      await waitFor(HANGUP_PATIENCE_MS / 2);
      if (!(await exec.inspect()).Running) return '';
    }
    return 'The image has no shell to end the process with; it was interrupted and runs on.';
  }

  private async nextChunk(): Promise<Buffer | undefined> {
    const { stream } = this.parts;
    const ended = new AbortController();
    const patience = AbortSignal.any([ended.signal, AbortSignal.timeout(START_PATIENCE_MS)]);
    const over = Promise.race(['end', 'close', 'error'].map((event) => once(stream, event, { signal: patience })));
    const data = once(stream, 'data', { signal: patience });
    try {
      const [chunk] = (await Promise.race([data, over.then(() => [undefined])])) as [Buffer | undefined];
      // What comes next waits for its reader.
      stream.pause();
      return chunk;
    } catch {
      return undefined;
    } finally {
      data.catch(() => undefined);
      over.catch(() => undefined);
      ended.abort();
    }
  }

  private async readFailure(held: Buffer): Promise<string> {
    const { stream } = this.parts;
    let bytes = held;
    for (let chunk = await this.nextChunk(); chunk && bytes.length < 8192; chunk = await this.nextChunk()) {
      bytes = Buffer.concat([bytes, chunk]);
    }
    stream.destroy();
    return bytes.toString('utf8').trim().slice(0, 2000);
  }
}

/** Ends every process of a terminal's session by another exec: hangs up, and kills what stays. */
export async function endProcesses(docker: Docker, containerId: string, mark: string): Promise<void> {
  const looks = HANGUP_PATIENCE_MS / HANGUP_LOOK_MS;
  if (!(await signal(docker, containerId, { mark, name: 'HUP' }))) return;
  for (let look = 0; look < looks; look += 1) {
    await waitFor(HANGUP_LOOK_MS);
    if (!(await signal(docker, containerId, { mark, name: '0' }))) return;
  }
  await signal(docker, containerId, { mark, name: 'KILL' });
}

/** Whether there was something to signal. A container that is down has no processes. */
async function signal(
  docker: Docker,
  containerId: string,
  { mark, name }: { mark: string; name: 'HUP' | 'KILL' | '0' },
): Promise<boolean> {
  try {
    const exec = await ask(() =>
      docker.getContainer(containerId).exec({
        Cmd: ['sh', '-c', SIGNAL_SCRIPT, 'sh', ...mark.split(' '), name],
        User: '0',
        WorkingDir: '/',
        AttachStdout: true,
      }),
    );
    const stream = await ask(() => exec.start({}));
    stream.resume();
    if (!stream.readableEnded) await Promise.race([once(stream, 'end'), once(stream, 'close')]);
    return (await ask(() => exec.inspect())).ExitCode === SIGNALLED;
  } catch (error) {
    if (error instanceof EngineError && (error.kind === 'not-found' || error.kind === 'conflict')) return false;
    throw error;
  }
}
