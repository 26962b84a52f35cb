import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import type { TerminalSize } from '../../lib/protocol/streams';
import type { Terminal } from '../engines/terminal';
import { readMark, sayMark, type TerminalMark } from '../terminal-mark';
import { endSession } from './end-session';
import { PTY_BRIDGE } from './pty-bridge';
import { type ShellAccount, shellEnvironment } from './shell-account';

/** What gives a program a terminal: `script` can't change its size later. */
export type Bridge = 'python3' | 'script';

const START_PATIENCE_MS = 15_000;
const WORDS_MAX = 2000;

/** Says which process it is, then becomes the shell that `$1` names, at home. */
const START_SCRIPT = [...sayMark('${1##*/}'), `cd "$HOME" 2>/dev/null || cd /`, `exec "$1" -l`].join('\n');

/** A log-in shell on a terminal of its own. Throws an Error with the words of what could not be run. */
export async function openHostTerminal(
  bridge: Bridge,
  { account, size }: { account: ShellAccount; size: TerminalSize },
): Promise<Terminal> {
  const [program = '', ...words] = bridge === 'python3' ? pythonWords(account, size) : scriptWords(account, size);
  const child = spawn(program, words, {
    cwd: '/',
    env: shellEnvironment(bridge === 'script' ? { ...account, shell: '/bin/sh' } : account),
    stdio: ['pipe', 'pipe', 'pipe', ...(bridge === 'python3' ? (['pipe'] as const) : [])],
    // A Ctrl-C at the agent's own terminal is not for what runs in this one.
    detached: true,
  });
  const terminal = new HostTerminal(child, bridge);
  await terminal.begin();
  return terminal;
}

function pythonWords({ shell }: ShellAccount, { rows, cols }: TerminalSize): string[] {
  const command = ['/bin/sh', '-c', START_SCRIPT, 'sh', shell];
  return ['python3', '-I', '-S', '-c', PTY_BRIDGE, String(rows), String(cols), ...command];
}

/** The environment is the script's own, so the shell's name comes by the command. */
function scriptWords({ shell }: ShellAccount, { rows, cols }: TerminalSize): string[] {
  const begin = `stty sane rows ${rows} cols ${cols}; SHELL=${quote(shell)}; export SHELL`;
  const command = `${begin}; exec /bin/sh -c ${quote(START_SCRIPT)} sh ${quote(shell)}`;
  return ['script', '-qfec', command, '/dev/null'];
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

class HostTerminal implements Terminal {
  readonly output = new PassThrough({ highWaterMark: 64 * 1024 });
  readonly takesInput = true;
  readonly hasFixedSize: boolean;
  private found: TerminalMark | undefined;
  private words = '';
  private readonly input: Writable;
  private readonly printed: Readable;
  /** Takes lines of `rows columns`. */
  private readonly sizes: Writable | undefined;
  private readonly over: Promise<number | null>;

  constructor(
    private readonly child: ChildProcess,
    bridge: Bridge,
  ) {
    this.hasFixedSize = bridge === 'script';
    const [input, printed, errors, sizes] = child.stdio as unknown as [Writable, Readable, Readable, Writable?];
    this.input = input;
    this.printed = printed;
    this.sizes = sizes;
    this.over = new Promise((resolve) => {
      child.once('error', (error) => {
        this.words = error.message;
        resolve(null);
      });
      // Once all that it printed was read.
      child.once('close', resolve);
    });
    errors.on('data', (chunk: Buffer) => (this.words = (this.words + chunk.toString('utf8')).slice(0, WORDS_MAX)));
    // A side that is gone is told by the end of the process.
    for (const stream of [input, printed, errors, sizes]) stream?.on('error', () => undefined);
  }

  get program(): string {
    return this.found?.program ?? '';
  }

  get mark(): string {
    return this.found?.mark ?? '';
  }

  /** Waits for the words of the start script. */
  async begin(): Promise<void> {
    const patience = setTimeout(() => this.child.kill('SIGKILL'), START_PATIENCE_MS);
    let held: Buffer = Buffer.alloc(0);
    try {
      const found = await new Promise<boolean>((resolve) => {
        const onData = (chunk: Buffer): void => {
          held = Buffer.concat([held, chunk]);
          const read = readMark(held);
          if (!read) return;
          this.printed.off('data', onData).pause();
          this.found = read.found;
          held = read.rest;
          resolve(read.found !== undefined);
        };
        this.printed.on('data', onData);
        void this.over.then(() => resolve(false));
      });
      if (!found) throw new Error(await this.readFailure(held));
    } finally {
      clearTimeout(patience);
    }
    if (held.length > 0) this.output.write(held);
    this.printed.pipe(this.output);
  }

  async write(bytes: Buffer): Promise<void> {
    if (this.input.destroyed || this.input.write(bytes)) return;
    await Promise.race([once(this.input, 'drain'), once(this.input, 'close'), this.over]);
  }

  resize({ cols, rows }: TerminalSize): Promise<void> {
    if (this.sizes?.writable) this.sizes.write(`${rows} ${cols}\n`);
    return Promise.resolve();
  }

  exitCode(): Promise<number | null> {
    return this.over;
  }

  async close(): Promise<string> {
    const words = this.mark === '' ? '' : await endSession(this.mark);
    this.child.kill('SIGKILL');
    this.printed.unpipe(this.output);
    this.output.end();
    return words;
  }

  private async readFailure(held: Buffer): Promise<string> {
    this.child.kill('SIGKILL');
    await this.over;
    const words = `${this.words}\n${held.toString('utf8')}`.trim();
    return words === '' ? 'The shell of the host did not start.' : words.slice(0, WORDS_MAX);
  }
}
