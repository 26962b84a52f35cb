import { PassThrough } from 'node:stream';
import type { TerminalSize } from '../../../lib/protocol/streams';
import type { Terminal } from '../terminal';
import { EngineError } from '../engine-error';
import type { SimulatedContainer } from './simulated-container';

const ENTER = '\r';
const BACKSPACE = '\u007f';
const CTRL_C = '\u0003';
const CTRL_D = '\u0004';

interface SimulatedTerminalOptions {
  name: string;
  command: string;
  size: TerminalSize;
}

/** As an engine would, only in a container that runs. */
export function openSimulatedTerminal(
  { name, state }: SimulatedContainer,
  what: Omit<SimulatedTerminalOptions, 'name'>,
): Promise<Terminal> {
  if (state === 'running') return Promise.resolve(new SimulatedTerminal({ name, ...what }));
  return Promise.reject(new EngineError('conflict', `Container ${name} is not running`));
}

/** A shell that runs nothing: it echoes, and knows `size`, `echo`, `exit` and `help`. */
class SimulatedTerminal implements Terminal {
  readonly output = new PassThrough();
  readonly program = 'simulated';
  readonly takesInput = true;
  readonly mark = '';
  private line = '';
  private code: number | null = null;
  private size: TerminalSize;

  constructor({ name, command, size }: SimulatedTerminalOptions) {
    this.size = size;
    this.print(`Simulated engine: this is no real shell of ${name}; nothing is really run. Type help.\r\n`);
    if (command !== '') this.run(command);
    this.prompt();
  }

  write(bytes: Buffer): Promise<void> {
    for (const key of bytes.toString('utf8')) this.press(key);
    return Promise.resolve();
  }

  resize(size: TerminalSize): Promise<void> {
    this.size = size;
    return Promise.resolve();
  }

  exitCode(): Promise<number | null> {
    return Promise.resolve(this.code);
  }

  close(): Promise<string> {
    this.output.end();
    return Promise.resolve('');
  }

  private press(key: string): void {
    if (this.output.writableEnded) return;
    if (key === CTRL_D && this.line === '') return this.exit(0);
    if (key === CTRL_C) this.enter('^C\r\n', '');
    else if (key === ENTER) this.enter('\r\n', this.line);
    else if (key === BACKSPACE) {
      if (this.line !== '') this.print('\b \b');
      this.line = this.line.slice(0, -1);
    } else if (key >= ' ') {
      this.line += key;
      this.print(key);
    }
  }

  private enter(echo: string, command: string): void {
    this.print(echo);
    this.line = '';
    this.run(command);
    this.prompt();
  }

  private run(command: string): void {
    const [word = '', ...rest] = command.trim().split(/\s+/);
    if (word === 'exit') this.exit(Number(rest[0]) || 0);
    else if (word === 'size') this.print(`${this.size.rows} ${this.size.cols}\r\n`);
    else if (word === 'echo') this.print(`${rest.join(' ')}\r\n`);
    else if (word === 'help') this.print('size, echo TEXT, exit [CODE]\r\n');
    else if (word !== '') this.print(`Simulated engine: ${word} is not really run\r\n`);
  }

  private exit(code: number): void {
    this.code = code;
    this.output.end();
  }

  private prompt(): void {
    this.print('simulated$ ');
  }

  private print(text: string): void {
    if (!this.output.writableEnded) this.output.write(text);
  }
}
