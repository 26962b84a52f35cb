import { describe, expect, it } from 'vitest';
import { createMux, GROWN_WINDOWS_BYTES, type Mux } from './mux';
import { STREAM_WINDOW_MAX_BYTES, type MuxStream } from './mux-stream';
import { STREAM_WINDOW_BYTES, type OpenStream } from './streams';

const logs: OpenStream = {
  kind: 'logs',
  workspaceId: 'w1',
  tail: null,
  since: '',
  until: '',
  follow: true,
  numbered: false,
};
/** What a window can't hold, whatever it grows to. */
const MUCH = 8 * STREAM_WINDOW_MAX_BYTES;

/** Two ends that hear of each other when the test says so. */
function pair({ grows = true } = {}) {
  const waiting: (() => void)[] = [];
  const opened: MuxStream[] = [];
  const socketTo = (peer: () => Mux) => ({
    bufferedAmount: 0,
    send(bytes: Uint8Array, done: () => void) {
      waiting.push(() => {
        peer().receive(Buffer.from(bytes));
        done();
      });
    },
  });
  const reading: Mux = createMux({ socket: socketTo(() => writing) });
  const writing: Mux = createMux({ socket: socketTo(() => reading), onOpen: (stream) => void opened.push(stream) });
  const settle = (): void => {
    for (let next = waiting.shift(); next; next = waiting.shift()) next();
  };
  const open = () => {
    const reader = reading.open(logs);
    if (grows) reader.growWindow();
    settle();
    return { reader, writer: opened.at(-1)! };
  };
  return { open, settle };
}

/** Reads so much at once, then stops, and tells how much more the peer may have under way. */
function windowAfter({ open, settle }: ReturnType<typeof pair>, readsAtOnce: number): number {
  const { reader, writer } = open();
  let [read, held] = [0, 0];
  reader.listen({
    onData(chunk) {
      if (read >= readsAtOnce) return void (held += chunk.length);
      read += chunk.length;
      reader.consumed(chunk.length);
    },
  });
  writer.write(Buffer.alloc(MUCH)).catch(() => undefined);
  settle();
  return held;
}

describe('windows of streams', () => {
  it('grow while the reader keeps up, to a bound', () => {
    const grown = windowAfter(pair(), MUCH / 2);
    expect(grown).toBeGreaterThan(STREAM_WINDOW_MAX_BYTES - STREAM_WINDOW_BYTES);
    expect(grown).toBeLessThanOrEqual(STREAM_WINDOW_MAX_BYTES);
  });

  it('stay as they were for what did not ask', () => {
    expect(windowAfter(pair({ grows: false }), MUCH / 2)).toBeLessThanOrEqual(STREAM_WINDOW_BYTES);
  });

  it('stay as they were for whoever does not read', () => {
    expect(windowAfter(pair(), 0)).toBe(STREAM_WINDOW_BYTES);
  });

  it('stay as they were for whoever reads only when the window is full', () => {
    const link = pair();
    const { reader, writer } = link.open();
    let held = 0;
    reader.listen({ onData: (chunk) => (held += chunk.length) });
    writer.write(Buffer.alloc(MUCH)).catch(() => undefined);
    for (let turn = 0; turn < 8; turn += 1) {
      link.settle();
      expect(held).toBe(STREAM_WINDOW_BYTES);
      reader.consumed(held);
      held = 0;
    }
  });

  it('grow together to no more than the link allows, and give it back at their end', () => {
    const link = pair();
    const streams = (GROWN_WINDOWS_BYTES / STREAM_WINDOW_MAX_BYTES) * 3;
    let under = 0;
    for (let index = 0; index < streams; index += 1) under += windowAfter(link, MUCH / 2) - STREAM_WINDOW_BYTES;
    expect(under).toBeLessThanOrEqual(GROWN_WINDOWS_BYTES);
    expect(under).toBeGreaterThan(GROWN_WINDOWS_BYTES / 2);

    const other = pair();
    for (let index = 0; index < streams; index += 1) {
      const { reader, writer } = other.open();
      reader.listen({ onData: (chunk) => reader.consumed(chunk.length) });
      writer.write(Buffer.alloc(MUCH)).catch(() => undefined);
      other.settle();
      reader.cancel();
      other.settle();
    }
    expect(windowAfter(other, MUCH / 2)).toBeGreaterThan(STREAM_WINDOW_MAX_BYTES - STREAM_WINDOW_BYTES);
  });
});
