import 'server-only';
import { AppError } from '@/lib/errors';
import type { MuxStream } from '@/lib/protocol/mux-stream';
import { type LogLine, logLineSchema } from '@/lib/protocol/streams';

/** A line that never ends is cut, so that one workspace can't fill the console's memory. */
const LINE_CHARS_MAX = 1024 * 1024;

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
 * The log lines that come over a stream, read as fast as the caller takes them; returns the host's closing words. Ends
 * early, and gives the stream up, when the signal fires or the caller stops. Throws `host_unavailable` when the link is
 * lost or the host fails.
 */
export async function* readLogLines(stream: MuxStream, signal: AbortSignal): AsyncGenerator<LogLine[], string> {
  const arrivals = new Arrivals(stream, signal);
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const arrival = await arrivals.take(signal);
      if (!arrival) return '';
      if (arrival.kind === 'error') throw new AppError('host_unavailable', arrival.message);
      if (arrival.kind === 'end') return arrival.message;
      const lines = (rest + decoder.decode(arrival.chunk, { stream: true })).split('\n');
      rest = (lines.pop() ?? '').slice(0, LINE_CHARS_MAX);
      yield lines.flatMap(parseLine);
      stream.consumed(arrival.chunk.length);
    }
  } finally {
    stream.cancel();
  }
}

function parseLine(text: string): LogLine[] {
  if (text === '') return [];
  try {
    return [logLineSchema.parse(JSON.parse(text))];
  } catch {
    return [];
  }
}
