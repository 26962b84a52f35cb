import type { MuxStream } from '../../lib/protocol/mux-stream';
import { RefusedQuestion } from './answers';

const STALL_MS = 60_000;

/** Bytes of a known number that come over a stream; the sender gets credit as they move on. */
export class Incoming {
  private readonly held: Buffer[] = [];
  private readonly over = new AbortController();
  private readonly stalled: NodeJS.Timeout;
  private wake: () => void = () => undefined;

  constructor(
    private readonly stream: MuxStream,
    private readonly size: number,
  ) {
    const stop = (): void => {
      this.over.abort();
      this.wake();
    };
    this.stalled = setTimeout(stop, STALL_MS);
    stream.growWindow();
    stream.listen({
      onData: (chunk) => {
        this.held.push(chunk);
        this.wake();
      },
      onEnd: stop,
      onError: stop,
    });
  }

  /** Fires when the sender has gone. */
  get signal(): AbortSignal {
    return this.over.signal;
  }

  stop(): void {
    clearTimeout(this.stalled);
  }

  /** All of them, at the taker's pace. Throws a RefusedQuestion where they break off, or more come than were said. */
  async *chunks(): AsyncGenerator<Buffer> {
    let left = this.size;
    while (left > 0) {
      const chunk = this.held.shift();
      if (!chunk) {
        if (this.over.signal.aborted) throw new RefusedQuestion('failed', 'The upload broke off.');
        await new Promise<void>((resolve) => (this.wake = resolve));
        continue;
      }
      if (chunk.length > left) throw new RefusedQuestion('invalid', 'More bytes came than were said.');
      yield chunk;
      left -= chunk.length;
      this.stalled.refresh();
      this.stream.consumed(chunk.length);
    }
    clearTimeout(this.stalled);
  }
}
