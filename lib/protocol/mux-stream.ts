import { FLAG_CANCELLED, FLAG_FINISHED, FrameError, type Frame } from './frames';
import { FRAME_PAYLOAD_MAX, STREAM_WINDOW_BYTES, type StreamEnd, type TerminalSize } from './streams';

/** What a stream's reader is told. Exactly one of `onEnd` and `onError` comes, once, and last. */
export interface StreamHandlers {
  /** Call `stream.consumed(chunk.length)` once the bytes have moved on; the peer may not send past the window. */
  onData?(chunk: Buffer): void;
  onResize?(size: TerminalSize): void;
  /** The peer sends no more, and still reads. */
  onFinish?(): void;
  /** `cancelled` when the peer gave the stream up rather than came to its end. */
  onEnd?(end: StreamEnd & { cancelled: boolean }): void;
  onError?(message: string): void;
}

/** One stream of the link. The same on both ends. */
export interface MuxStream {
  readonly id: number;
  /** True once either side has ended it, or the link is gone. */
  readonly isClosed: boolean;
  /** Sets who is told. What came before is delivered at once, in order. */
  listen(handlers: StreamHandlers): void;
  /** Resolves when the bytes have left for the link, which waits for credit. Rejects with a StreamClosedError. */
  write(bytes: Buffer): Promise<void>;
  /** Gives the peer credit for bytes that this side has dealt with. */
  consumed(bytes: number): void;
  /** For what is read as fast as it comes: more may be under way while its reader keeps up. Where people wait for it, less is better. */
  growWindow(): void;
  resize(size: TerminalSize): void;
  /** Sends no more after everything written so far, and still reads. */
  finish(): void;
  /** Ends the stream after everything written so far. Does nothing the second time. */
  end(end?: StreamEnd): void;
  /** Gives the stream up at once; unsent writes reject. */
  cancel(): void;
  /** Tells the peer what went wrong and ends the stream at once. */
  fail(message: string): void;
}

/** A write to a stream that is over. */
export class StreamClosedError extends Error {
  override name = 'StreamClosedError';
}

interface PendingWrite {
  bytes: Buffer;
  resolve: () => void;
  reject: (error: Error) => void;
}

/** What a stream needs from its link. */
export interface StreamHost {
  sendControl(frame: Frame): void;
  sendCredit(streamId: number, bytes: number): void;
  /** There is something for `nextFrame` to give. */
  wantsToSend(): void;
  /** Whether so many bytes more may be under way to this end; they are given back by a negative number. */
  reserve(bytes: number): boolean;
  forget(streamId: number): void;
}

/** Credit is returned in quarters of the first window, so that small chunks don't cost a frame each. */
const CREDIT_STEP_BYTES = STREAM_WINDOW_BYTES / 4;
/** A window may grow while its reader keeps up, as TCP's does: over a long way, or many hops, the first one is a brake. */
export const STREAM_WINDOW_MAX_BYTES = 2 * 1024 * 1024;
/** A window's worth that takes longer to come needs no larger one. */
const GROWTH_MS = 2000;

type Event = (handlers: StreamHandlers) => void;

export class LinkStream implements MuxStream {
  isClosed = false;
  private handlers: StreamHandlers | undefined;
  private held: Event[] = [];
  private writes: PendingWrite[] = [];
  private ending: StreamEnd | undefined;
  private finishing: 'no' | 'due' | 'told' = 'no';
  private sendWindow = STREAM_WINDOW_BYTES;
  private receiveWindow = STREAM_WINDOW_BYTES;
  private unconsumed = 0;
  private owedCredit = 0;
  private mayGrow = false;
  private windowBytes = STREAM_WINDOW_BYTES;
  /** Since the window was last looked at: bytes that were read, the most that waited for it, and when that was. */
  private turn = { read: 0, waited: 0, sinceMs: performance.now() };

  constructor(
    readonly id: number,
    private readonly host: StreamHost,
  ) {}

  listen(handlers: StreamHandlers): void {
    this.handlers = handlers;
    for (const event of this.held.splice(0)) event(handlers);
  }

  write(bytes: Buffer): Promise<void> {
    if (this.isClosed || this.ending || this.finishing !== 'no') {
      return Promise.reject(new StreamClosedError('The stream is closed'));
    }
    if (bytes.length === 0) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.writes.push({ bytes, resolve, reject });
      this.host.wantsToSend();
    });
  }

  consumed(bytes: number): void {
    const counted = Math.min(bytes, this.unconsumed);
    this.unconsumed -= counted;
    this.owedCredit += counted;
    this.turn.read += counted;
    if (this.isClosed || this.owedCredit < CREDIT_STEP_BYTES) return;
    const credit = this.owedCredit + this.growth();
    this.receiveWindow += credit;
    this.host.sendCredit(this.id, credit);
    this.owedCredit = 0;
  }

  growWindow(): void {
    this.mayGrow = true;
  }

  resize(size: TerminalSize): void {
    if (this.isClosed) return;
    this.host.sendControl({ type: 'resize', streamId: this.id, flags: 0, payload: toJson(size) });
  }

  finish(): void {
    if (this.isClosed || this.ending || this.finishing !== 'no') return;
    this.finishing = 'due';
    this.host.wantsToSend();
  }

  end(end: StreamEnd = { code: null, message: '' }): void {
    if (this.isClosed || this.ending) return;
    this.ending = end;
    this.host.wantsToSend();
  }

  cancel(): void {
    if (this.isClosed) return;
    const payload = toJson({ code: null, message: '' });
    this.host.sendControl({ type: 'end', streamId: this.id, flags: FLAG_CANCELLED, payload });
    this.close('The stream was cancelled');
  }

  fail(message: string): void {
    if (this.isClosed) return;
    const payload = toJson({ message: message.slice(0, FRAME_PAYLOAD_MAX / 8) });
    this.host.sendControl({ type: 'error', streamId: this.id, flags: 0, payload });
    this.close(message);
  }

  /** The next frame that credit lets out, or undefined. */
  nextFrame(): Frame | undefined {
    const write = this.writes[0];
    if (write) {
      const size = Math.min(write.bytes.length, this.sendWindow, FRAME_PAYLOAD_MAX);
      if (size === 0) return undefined;
      const payload = write.bytes.subarray(0, size);
      this.sendWindow -= size;
      write.bytes = write.bytes.subarray(size);
      if (write.bytes.length === 0) {
        this.writes.shift();
        write.resolve();
      }
      return { type: 'data', streamId: this.id, flags: 0, payload };
    }
    if (this.isClosed) return undefined;
    if (this.finishing === 'due') {
      this.finishing = 'told';
      return { type: 'data', streamId: this.id, flags: FLAG_FINISHED, payload: Buffer.alloc(0) };
    }
    if (!this.ending) return undefined;
    const frame: Frame = { type: 'end', streamId: this.id, flags: 0, payload: toJson(this.ending) };
    this.close('The stream has ended');
    return frame;
  }

  receiveData(payload: Buffer): void {
    if (payload.length > this.receiveWindow) throw new FrameError(`Stream ${this.id} sent past its window`);
    this.receiveWindow -= payload.length;
    this.unconsumed += payload.length;
    this.turn.waited = Math.max(this.turn.waited, this.unconsumed);
    this.tell((handlers) => handlers.onData?.(payload));
  }

  receiveFinish(): void {
    this.tell((handlers) => handlers.onFinish?.());
  }

  receiveCredit(bytes: number): void {
    this.sendWindow += bytes;
    this.host.wantsToSend();
  }

  receiveResize(size: TerminalSize): void {
    this.tell((handlers) => handlers.onResize?.(size));
  }

  receiveEnd(end: StreamEnd, cancelled: boolean): void {
    this.close('The other side ended the stream');
    this.tell((handlers) => handlers.onEnd?.({ ...end, cancelled }));
  }

  receiveError(message: string): void {
    this.close(message);
    this.tell((handlers) => handlers.onError?.(message));
  }

  /** Bytes by which the window grows: as much again when its reader took a whole one in good time, with little waiting. */
  private growth(): number {
    const { read, waited, sinceMs } = this.turn;
    if (!this.mayGrow || read < this.windowBytes) return 0;
    const nowMs = performance.now();
    this.turn = { read: 0, waited: 0, sinceMs: nowMs };
    const more = Math.min(this.windowBytes, STREAM_WINDOW_MAX_BYTES - this.windowBytes);
    const keepsUp = nowMs - sinceMs < GROWTH_MS && waited <= this.windowBytes / 2;
    if (more === 0 || !keepsUp || !this.host.reserve(more)) return 0;
    this.windowBytes += more;
    return more;
  }

  private close(reason: string): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.host.reserve(STREAM_WINDOW_BYTES - this.windowBytes);
    this.host.forget(this.id);
    for (const write of this.writes.splice(0)) write.reject(new StreamClosedError(reason));
  }

  private tell(event: Event): void {
    if (this.handlers) event(this.handlers);
    else this.held.push(event);
  }
}

export function toJson(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value), 'utf8');
}
