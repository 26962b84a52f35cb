import { once } from 'node:events';
import { type Duplex, PassThrough } from 'node:stream';
import type Docker from 'dockerode';
import type { TerminalSize } from '../../../lib/protocol/streams';
import type { Terminal } from '../terminal';
import { ask } from './docker-client';
import { DETACH_KEYS } from './docker-terminals';

const HEADER_BYTES = 8;
const LF = 10;
const CR = 13;

/** Attaches to a container's own process, with the terminal that it has or without one. */
export async function attachTerminal(docker: Docker, containerId: string, size: TerminalSize): Promise<Terminal> {
  const container = docker.getContainer(containerId);
  const { Config } = await ask(() => container.inspect());
  const stream = await ask(() =>
    container.attach({
      stream: true,
      stdin: Config.OpenStdin,
      stdout: true,
      stderr: true,
      hijack: true,
      detachKeys: DETACH_KEYS,
    } as Docker.ContainerAttachOptions),
  );
  const terminal = new AttachedTerminal(container, {
    stream: stream as Duplex,
    hasTty: Config.Tty,
    takesInput: Config.OpenStdin,
    program: [...(toWords(Config.Entrypoint) ?? []), ...(Config.Cmd ?? [])][0] ?? '',
  });
  await terminal.resize(size).catch(() => undefined);
  return terminal;
}

function toWords(entrypoint: string | string[] | undefined): string[] | undefined {
  return typeof entrypoint === 'string' ? [entrypoint] : entrypoint;
}

interface AttachedParts {
  stream: Duplex;
  hasTty: boolean;
  takesInput: boolean;
  program: string;
}

class AttachedTerminal implements Terminal {
  readonly output = new PassThrough({ highWaterMark: 64 * 1024 });
  readonly program: string;
  readonly takesInput: boolean;
  /** The workspace's own process is not ours to end. */
  readonly mark = '';
  private readonly lines = new PlainInput();

  constructor(
    private readonly container: Docker.Container,
    private readonly parts: AttachedParts,
  ) {
    this.program = parts.program;
    this.takesInput = parts.takesInput;
    const { stream, hasTty } = parts;
    stream.on('error', () => this.output.end());
    if (hasTty) stream.pipe(this.output);
    else this.pipePlain(stream);
  }

  async write(bytes: Buffer): Promise<void> {
    const { stream, hasTty, takesInput } = this.parts;
    if (!takesInput || stream.destroyed) return;
    const { echo, send } = hasTty ? { echo: Buffer.alloc(0), send: bytes } : this.lines.type(bytes);
    if (echo.length > 0) this.output.write(echo);
    if (send.length === 0 || stream.write(send)) return;
    await Promise.race([once(stream, 'drain'), once(stream, 'close')]);
  }

  async resize({ cols, rows }: TerminalSize): Promise<void> {
    if (this.parts.hasTty) await ask(() => this.container.resize({ w: cols, h: rows }));
  }

  async exitCode(): Promise<number | null> {
    const { State } = await ask(() => this.container.inspect());
    return State.Running ? null : State.ExitCode;
  }

  close(): Promise<string> {
    this.parts.stream.destroy();
    return Promise.resolve('');
  }

  private pipePlain(stream: Duplex): void {
    const decoder = new PlainOutput();
    stream.on('data', (chunk: Buffer) => {
      if (this.output.write(decoder.push(chunk))) return;
      stream.pause();
      this.output.once('drain', () => stream.resume());
    });
    for (const event of ['end', 'close']) stream.once(event, () => this.output.end());
  }
}

/** Takes Docker's frames apart and ends lines as a terminal wants them. */
export class PlainOutput {
  private head = Buffer.alloc(0);
  private leftBytes = 0;
  private lastByte = 0;

  push(chunk: Buffer): Buffer {
    const parts: Buffer[] = [];
    let bytes = this.head.length > 0 ? Buffer.concat([this.head, chunk]) : chunk;
    this.head = Buffer.alloc(0);
    while (bytes.length > 0) {
      if (this.leftBytes === 0) {
        if (bytes.length < HEADER_BYTES) {
          this.head = Buffer.from(bytes);
          break;
        }
        this.leftBytes = bytes.readUInt32BE(4);
        bytes = bytes.subarray(HEADER_BYTES);
        continue;
      }
      const payload = bytes.subarray(0, this.leftBytes);
      this.leftBytes -= payload.length;
      bytes = bytes.subarray(payload.length);
      parts.push(this.withReturns(payload));
    }
    return Buffer.concat(parts);
  }

  private withReturns(payload: Buffer): Buffer {
    const bytes = Buffer.allocUnsafe(payload.length * 2);
    let length = 0;
    for (const byte of payload) {
      if (byte === LF && this.lastByte !== CR) bytes[length++] = CR;
      bytes[length++] = byte;
      this.lastByte = byte;
    }
    return bytes.subarray(0, length);
  }
}

const BACKSPACE = 127;
const LINE_MAX_BYTES = 4096;

/** What is typed to a process without a terminal: shown as it is typed, sent by the line. */
export class PlainInput {
  private line: number[] = [];

  type(bytes: Buffer): { echo: Buffer; send: Buffer } {
    const echo: number[] = [];
    const send: number[] = [];
    for (const byte of bytes) {
      if (byte === CR || byte === LF) {
        send.push(...this.line, LF);
        echo.push(CR, LF);
        this.line = [];
      } else if (byte === BACKSPACE) this.eraseLast(echo);
      else if (byte >= 32 || byte === 9) {
        this.line.push(byte);
        echo.push(byte);
      }
      if (this.line.length >= LINE_MAX_BYTES) send.push(...this.line.splice(0));
    }
    return { echo: Buffer.from(echo), send: Buffer.from(send) };
  }

  /** A character of UTF-8 goes whole. */
  private eraseLast(echo: number[]): void {
    if (this.line.length === 0) return;
    while (((this.line.pop() ?? 0) & 0xc0) === 0x80);
    echo.push(8, 32, 8);
  }
}
