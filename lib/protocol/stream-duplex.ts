import { Duplex } from 'node:stream';
import { StreamClosedError, type MuxStream } from './mux-stream';

/** What waits here beside the stream's own window. */
const WAITING_BYTES = 64 * 1024;

type Done = (error?: Error | null) => void;

/**
 * A stream of the link as Node's own duplex, with just as much of a socket as `node:http` asks of one. Bytes get credit as
 * they are read, so whoever reads slowly slows the other end; each side may end its half before the other.
 */
export class StreamDuplex extends Duplex {
  /** As sockets have it: ms without a byte until `timeout` is told; 0 for never. */
  timeout = 0;
  readonly connecting = false;
  private owed = 0;
  /** It has ended in good order: what is still written goes nowhere, and what it sent before is read to its end. */
  private isPeerGone = false;
  private timer: NodeJS.Timeout | undefined;

  /** Unless `allowHalfOpen`, it ends with the other side's end, as client sockets do: who keeps it for later hears of it. */
  constructor(
    private readonly stream: MuxStream,
    { allowHalfOpen }: { allowHalfOpen: boolean },
  ) {
    super({ readableHighWaterMark: WAITING_BYTES, writableHighWaterMark: WAITING_BYTES, allowHalfOpen });
    stream.growWindow();
    stream.listen({
      onData: (chunk) => this.receive(chunk),
      onFinish: () => this.push(null),
      onEnd: ({ cancelled }) => this.leave(cancelled ? 'The other side hung up' : ''),
      onError: (message) => this.leave(message),
    });
  }

  override _read(): void {
    const { owed } = this;
    this.owed = 0;
    if (owed > 0) this.stream.consumed(owed);
  }

  override _write(chunk: Buffer, _encoding: string, done: Done): void {
    this.send(chunk, done);
  }

  /** Small parts travel in one frame: a head and what follows it at once. */
  override _writev(chunks: { chunk: Buffer }[], done: Done): void {
    this.send(Buffer.concat(chunks.map(({ chunk }) => chunk)), done);
  }

  override _final(done: Done): void {
    this.stream.finish();
    done();
  }

  override _destroy(error: Error | null, done: Done): void {
    clearTimeout(this.timer);
    if (this.writableFinished && this.readableEnded) this.stream.end();
    else this.stream.cancel();
    done(error);
  }

  setTimeout(ms: number, listener?: () => void): this {
    this.timeout = ms;
    clearTimeout(this.timer);
    if (listener) this.once('timeout', listener);
    this.timer = ms > 0 ? setTimeout(() => this.emit('timeout'), ms).unref() : undefined;
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  private receive(chunk: Buffer): void {
    this.timer?.refresh();
    if (this.push(chunk)) this.stream.consumed(chunk.length);
    else this.owed += chunk.length;
  }

  private send(bytes: Buffer, done: Done): void {
    this.timer?.refresh();
    this.stream.write(bytes).then(
      () => done(),
      (error: Error) => done(this.isPeerGone ? null : error),
    );
  }

  /** Both halves are over. What has come is still read, unless something went wrong. */
  private leave(wrong: string): void {
    if (wrong !== '') return void this.destroy(Object.assign(new StreamClosedError(wrong), { code: 'ECONNRESET' }));
    this.isPeerGone = true;
    this.push(null);
    this.end();
  }
}
