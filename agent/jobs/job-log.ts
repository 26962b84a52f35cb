import type { JobLogRequest } from '../../lib/protocol/calls';
import { Backoff } from '../backoff';
import { waitFor } from '../wait';

type Chunk = JobLogRequest['chunks'][number];

export interface JobLogOptions {
  /** Returns the highest sequence up to which the console holds every chunk. */
  send(chunks: Chunk[]): Promise<number>;
  random(): number;
  onError(error: unknown): void;
}

const CHUNK_MAX_CHARS = 16 * 1024;
const CHUNKS_IN_FLIGHT = 32;
const GATHER_MS = 200;
/** Text that waits for the console beyond this loses its middle. */
const HEAD_MAX_CHARS = 1024 * 1024;
const TAIL_MAX_CHARS = 1024 * 1024;

/**
 * A job's log on its way to the console: numbered chunks, sent again until acknowledged. Text gets its number when it is
 * first sent, so what is dropped while the console is away leaves no gap.
 */
export class JobLog {
  private head = '';
  private tail = '';
  private droppedChars = 0;
  private inFlight: Chunk[] = [];
  private sequence = 0;
  private hasSent = false;
  private isStopped = false;
  private readonly stopping = new AbortController();
  /** Someone waits for the rest: nothing is gathered any more. */
  private readonly flushing = new AbortController();
  private sending: Promise<void> | undefined;

  constructor(private readonly options: JobLogOptions) {}

  append(text: string): void {
    if (text === '' || this.isStopped) return;
    if (this.tail === '' && this.droppedChars === 0 && this.head.length + text.length <= HEAD_MAX_CHARS)
      this.head += text;
    else this.appendTail(text);
    this.sending ??= this.sendAll().finally(() => {
      this.sending = undefined;
    });
  }

  /** Sends what there is at once; resolves when the console holds everything, or after the time. */
  async flush(timeoutMs: number): Promise<void> {
    this.flushing.abort();
    if (this.sending) await Promise.race([this.sending, waitFor(timeoutMs, this.stopping.signal)]);
  }

  stop(): void {
    this.isStopped = true;
    this.stopping.abort();
  }

  private appendTail(text: string): void {
    this.tail += text;
    // Cut in large steps: cutting at every append would copy the whole text each time.
    if (this.tail.length <= TAIL_MAX_CHARS * 2) return;
    this.droppedChars += this.tail.length - TAIL_MAX_CHARS;
    this.tail = this.tail.slice(-TAIL_MAX_CHARS);
  }

  private async sendAll(): Promise<void> {
    const backoff = new Backoff({ firstMs: 500, longestMs: 15_000, random: () => this.options.random() });
    await (this.hasSent ? this.gather() : waitFor(0, this.stopping.signal));
    while (!this.isStopped && (this.inFlight.length > 0 || this.takeChunks())) {
      try {
        this.acknowledge(await this.options.send(this.inFlight));
        backoff.reset();
        if (this.head.length < CHUNK_MAX_CHARS) await this.gather();
      } catch (error) {
        this.options.onError(error);
        await waitFor(100 + backoff.next(), this.stopping.signal);
      }
    }
  }

  private gather(): Promise<void> {
    return waitFor(GATHER_MS, AbortSignal.any([this.stopping.signal, this.flushing.signal]));
  }

  private acknowledge(acknowledged: number): void {
    // A job that was begun anew after a crash meets a console that holds chunks of its first life: number on from there.
    if (!this.hasSent && acknowledged > this.sequence) {
      this.inFlight = this.inFlight.map((chunk, index) => ({ ...chunk, sequence: acknowledged + index + 1 }));
      this.sequence = acknowledged + this.inFlight.length;
    } else {
      this.inFlight = this.inFlight.filter((chunk) => chunk.sequence > acknowledged);
    }
    this.hasSent = true;
  }

  /** Numbers the next chunks; false when there is no text. */
  private takeChunks(): boolean {
    this.refillHead();
    // The first send is a single chunk: its answer tells whether the numbering has to go on from an earlier life.
    const count = this.hasSent ? CHUNKS_IN_FLIGHT : 1;
    while (this.inFlight.length < count && this.head !== '') {
      this.sequence += 1;
      this.inFlight.push({ sequence: this.sequence, text: this.head.slice(0, CHUNK_MAX_CHARS) });
      this.head = this.head.slice(CHUNK_MAX_CHARS);
      this.refillHead();
    }
    return this.inFlight.length > 0;
  }

  private refillHead(): void {
    if (this.head !== '' || this.tail === '') return;
    const marker = this.droppedChars > 0 ? `\n[${this.droppedChars} characters left out: the console was away]\n` : '';
    this.head = marker + this.tail;
    this.tail = '';
    this.droppedChars = 0;
  }
}
