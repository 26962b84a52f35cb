import 'server-only';
import { AppError } from '@/lib/errors';
import type { MuxStream } from '@/lib/protocol/mux-stream';

type Arrival = { kind: 'data'; chunk: Buffer } | { kind: 'end'; message: string } | { kind: 'error'; message: string };

/** What arrives on a stream, in order, one await each. Bounded by the stream's window: credit is given on taking. */
class Arrivals {
  private readonly held: Arrival[] = [];
  private wake: (() => void) | undefined;

  constructor(stream: MuxStream, signal: AbortSignal) {
    stream.listen({
      onData: (chunk) => this.add({ kind: 'data', chunk }),
      onEnd: ({ message }) => this.add({ kind: 'end', message }),
      onError: (message) => this.add({ kind: 'error', message }),
    });
    signal.addEventListener('abort', () => this.wake?.(), { once: true });
  }

  private add(arrival: Arrival): void {
    this.held.push(arrival);
    this.wake?.();
  }

  async take(signal: AbortSignal): Promise<Arrival | undefined> {
    while (this.held.length === 0 && !signal.aborted) await new Promise<void>((resolve) => (this.wake = resolve));
    return signal.aborted ? undefined : this.held.shift();
  }
}

/**
 * The bytes that come over a host's stream, read as fast as the caller takes them; returns the host's closing words. Ends
 * early, and gives the stream up, when the signal fires or the caller stops. Throws `host_unavailable` when the link is
 * lost or the host fails.
 */
export async function* readChunks(stream: MuxStream, signal: AbortSignal): AsyncGenerator<Buffer, string> {
  const arrivals = new Arrivals(stream, signal);
  try {
    for (;;) {
      const arrival = await arrivals.take(signal);
      if (!arrival) return '';
      if (arrival.kind === 'error') throw new AppError('host_unavailable', arrival.message);
      if (arrival.kind === 'end') return arrival.message;
      yield arrival.chunk;
      stream.consumed(arrival.chunk.length);
    }
  } finally {
    stream.cancel();
  }
}
