import { StreamClosedError, type MuxStream } from '../../lib/protocol/mux-stream';
import { encodeNews, encodeOutput, TERMINAL_PART_MAX, type TerminalNews } from '../../lib/protocol/terminal-parts';
import type { StreamEnd, TerminalSize } from '../../lib/protocol/streams';
import { toMessage } from '../engines/engine-error';
import type { ReplayRing } from './replay-ring';

/** Keys that wait for the program before their sender gets no more credit. */
const INPUT_BYTES = 64 * 1024;

interface ViewerOptions {
  stream: MuxStream;
  ring: ReplayRing;
  from: number;
  size: TerminalSize;
  /** It has come further. */
  onProgress(): void;
}

/** One viewer of a session: reads its output at its own pace, and misses what is forgotten before its turn. */
export class TerminalViewer {
  size: TerminalSize;
  readonly stream: MuxStream;
  /** Place of the next byte to send. */
  place: number;
  private readonly ring: ReplayRing;
  private isSending = false;
  private ending: StreamEnd | undefined;
  private held: TerminalNews[] = [];

  constructor(private readonly options: ViewerOptions) {
    this.stream = options.stream;
    this.ring = options.ring;
    this.place = options.from;
    this.size = options.size;
  }

  get behindBytes(): number {
    return this.ring.end - this.place;
  }

  /** There is more output. */
  wake(): void {
    if (this.isSending || this.stream.isClosed) return;
    this.send().catch((error: unknown) => {
      if (!(error instanceof StreamClosedError)) this.stream.fail(toMessage(error));
    });
  }

  tell(news: TerminalNews): void {
    this.held = this.held.filter(({ k }) => k !== news.k);
    this.held.push(news);
    this.wake();
  }

  /** Ends the stream once all output has left. */
  endWith(end: StreamEnd): void {
    this.ending = end;
    this.wake();
  }

  private async send(): Promise<void> {
    this.isSending = true;
    try {
      await this.sendAll();
    } finally {
      this.isSending = false;
    }
    if (this.ending) this.stream.end(this.ending);
  }

  private async sendAll(): Promise<void> {
    for (;;) {
      const news = this.held.shift();
      if (news) {
        await this.stream.write(encodeNews(news));
        continue;
      }
      const missed = this.ring.start - this.place;
      if (missed > 0) {
        this.place = this.ring.start;
        await this.stream.write(encodeNews({ k: 'skipped', bytes: missed }));
        continue;
      }
      const bytes = this.ring.read(this.place, TERMINAL_PART_MAX);
      if (bytes.length === 0) return;
      this.place += bytes.length;
      await this.stream.write(encodeOutput(bytes));
      this.options.onProgress();
    }
  }
}

/** Hands keys on in their order; the sender gets credit as the program takes them. */
export class InputQueue {
  private last: Promise<void> = Promise.resolve();
  private waitingBytes = 0;

  constructor(private readonly write: (bytes: Buffer) => Promise<void>) {}

  push(chunk: Buffer, stream: MuxStream): void {
    this.waitingBytes += chunk.length;
    // What is typed is small: its sender need not wait for the program to have read it.
    const isSmall = this.waitingBytes <= INPUT_BYTES;
    if (isSmall) stream.consumed(chunk.length);
    this.last = this.last
      .then(() => this.write(chunk))
      .catch(() => undefined)
      .then(() => {
        this.waitingBytes -= chunk.length;
        if (!isSmall) stream.consumed(chunk.length);
      });
  }
}
