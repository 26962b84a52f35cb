import { describe, expect, it } from 'vitest';
import { decodeFrame, encodeFrame, FrameError } from './frames';
import { createMux, type Mux } from './mux';
import type { MuxStream } from './mux-stream';
import { FRAME_PAYLOAD_MAX, STREAM_WINDOW_BYTES, type OpenStream } from './streams';

const logs: OpenStream = {
  kind: 'logs',
  workspaceId: 'w1',
  tail: null,
  since: '',
  until: '',
  follow: true,
  numbered: false,
};

/** A socket that keeps what is sent until the test lets it through. */
function heldSocket() {
  const queue: { bytes: Buffer; done: () => void }[] = [];
  return {
    queue,
    get bufferedAmount() {
      return queue.reduce((sum, item) => sum + item.bytes.length, 0);
    },
    send(bytes: Uint8Array, done: () => void) {
      queue.push({ bytes: Buffer.from(bytes), done });
    },
  };
}

function pair() {
  const consoleSocket = heldSocket();
  const agentSocket = heldSocket();
  const opened: { stream: MuxStream; open: OpenStream }[] = [];
  const wakes: number[] = [];
  const goAways: number[] = [];
  const agent = createMux({
    socket: agentSocket,
    onOpen: (stream, open) => opened.push({ stream, open }),
    onWake: (revision) => wakes.push(revision),
    onGoAway: (afterMs) => goAways.push(afterMs),
  });
  const console = createMux({ socket: consoleSocket });
  const carry = (socket: ReturnType<typeof heldSocket>, to: Mux): boolean => {
    const item = socket.queue.shift();
    if (!item) return false;
    to.receive(item.bytes);
    item.done();
    return true;
  };
  const settle = () => {
    let moved = true;
    while (moved) moved = [carry(consoleSocket, agent), carry(agentSocket, console)].some(Boolean);
  };
  const accept = (): MuxStream => {
    settle();
    const last = opened.at(-1);
    if (!last) throw new Error('nothing was opened');
    return last.stream;
  };
  return { agent, console, agentSocket, consoleSocket, opened, wakes, goAways, settle, accept };
}

describe('mux', () => {
  it('opens a stream with its payload and carries data both ways', async () => {
    const link = pair();
    const here = link.console.open(logs);
    const there = link.accept();
    const got: string[] = [];
    here.listen({ onData: (chunk) => got.push(`console ${chunk.toString()}`) });
    there.listen({ onData: (chunk) => got.push(`agent ${chunk.toString()}`) });
    await Promise.all([there.write(Buffer.from('a')), here.write(Buffer.from('b'))]);
    link.settle();
    expect(link.opened[0]?.open).toEqual(logs);
    expect(got.toSorted()).toEqual(['agent b', 'console a']);
  });

  it('stops at the window until the reader has consumed', async () => {
    const link = pair();
    const reader = link.console.open(logs);
    const writer = link.accept();
    let received = 0;
    reader.listen({ onData: (chunk) => (received += chunk.length) });
    let isWritten = false;
    const written = writer.write(Buffer.alloc(STREAM_WINDOW_BYTES * 2)).then(() => (isWritten = true));
    link.settle();
    await Promise.resolve();
    expect([received, isWritten]).toEqual([STREAM_WINDOW_BYTES, false]);
    reader.consumed(received);
    link.settle();
    await written;
    expect(received).toBe(STREAM_WINDOW_BYTES * 2);
  });

  it('sends frames of at most 64 KiB', () => {
    const link = pair();
    link.console.open(logs);
    void link.accept().write(Buffer.alloc(200_000));
    const sizes = link.agentSocket.queue.map((item) => decodeFrame(item.bytes)?.payload.length ?? 0);
    expect(Math.max(...sizes)).toBe(FRAME_PAYLOAD_MAX);
  });

  it('lets a control frame pass the data that waits, and shares the socket between streams', () => {
    const link = pair();
    link.console.open(logs);
    const first = link.accept();
    link.console.open(logs);
    const second = link.accept();
    void first.write(Buffer.alloc(STREAM_WINDOW_BYTES));
    void second.write(Buffer.from('second'));
    link.agent.wake(1);
    const queued = link.agentSocket.queue.map((item) => decodeFrame(item.bytes));
    expect(queued.map((frame) => frame?.type)).toEqual(['data', 'data', 'wake']);
    const order: number[] = [];
    for (let item = link.agentSocket.queue.shift(); item; item = link.agentSocket.queue.shift()) {
      const frame = decodeFrame(item.bytes);
      if (frame?.type === 'data') order.push(frame.streamId);
      item.done();
    }
    expect(order.indexOf(second.id)).toBeLessThan(order.lastIndexOf(first.id));
  });

  it('ends after the data that was written, once', () => {
    const link = pair();
    const reader = link.console.open(logs);
    const writer = link.accept();
    const events: string[] = [];
    reader.listen({
      onData: (chunk) => events.push(chunk.toString()),
      onEnd: ({ code, cancelled }) => events.push(`end ${code} ${cancelled}`),
      onError: (message) => events.push(message),
    });
    void writer.write(Buffer.from('last'));
    writer.end({ code: 3, message: '' });
    writer.end({ code: 4, message: '' });
    link.settle();
    reader.cancel();
    link.console.close('gone');
    link.settle();
    expect(events).toEqual(['last', 'end 3 false']);
    expect([link.agent.openStreams, link.console.openStreams]).toEqual([0, 0]);
  });

  it('rejects writes that a cancel leaves unsent', async () => {
    const link = pair();
    const reader = link.console.open(logs);
    const writer = link.accept();
    const ends: boolean[] = [];
    writer.listen({ onEnd: ({ cancelled }) => ends.push(cancelled) });
    const written = writer.write(Buffer.alloc(STREAM_WINDOW_BYTES + 1));
    reader.cancel();
    link.settle();
    await expect(written).rejects.toThrow('ended the stream');
    await expect(writer.write(Buffer.from('x'))).rejects.toThrow('closed');
    expect(ends).toEqual([true]);
  });

  it('holds what comes before the reader listens', () => {
    const link = pair();
    const reader = link.console.open(logs);
    const writer = link.accept();
    void writer.write(Buffer.from('early'));
    writer.fail('broke');
    link.settle();
    const events: string[] = [];
    reader.listen({ onData: (chunk) => events.push(chunk.toString()), onError: (message) => events.push(message) });
    expect(events).toEqual(['early', 'broke']);
  });

  it('carries wake-ups, go-aways and sizes', () => {
    const link = pair();
    const terminal = link.console.open(logs);
    const sizes: unknown[] = [];
    link.accept().listen({ onResize: (size) => sizes.push(size) });
    link.console.wake(7);
    link.console.goAway(250);
    terminal.resize({ cols: 80, rows: 24 });
    link.settle();
    expect([link.wakes, link.goAways, sizes]).toEqual([[7], [250], [{ cols: 80, rows: 24 }]]);
  });

  it('tells every stream when the link is lost', () => {
    const link = pair();
    const errors: string[] = [];
    link.console.open(logs).listen({ onError: (message) => errors.push(message) });
    link.console.close('lost');
    link.console.close('lost again');
    link.console.open(logs).listen({ onError: (message) => errors.push(message) });
    expect(errors).toEqual(['lost', 'The live link is closed']);
  });

  it('refuses an unknown kind of stream with an error frame and keeps the link', () => {
    const link = pair();
    link.agent.receive(encodeFrame({ type: 'open', streamId: 9, flags: 0, payload: Buffer.from('{"kind":"shell"}') }));
    const answer = decodeFrame(link.agentSocket.queue[0]?.bytes ?? Buffer.alloc(0));
    expect([answer?.type, answer?.streamId, link.agent.openStreams]).toEqual(['error', 9, 0]);
    expect(String(answer?.payload)).toContain('The agent is too old for streams of kind shell. Update it.');
  });

  it('lets news and types of frames pass that only a newer side knows', () => {
    const link = pair();
    const news = Buffer.from('{"maintenance":{"fromMs":1}}');
    link.agent.receive(encodeFrame({ type: 'wake', streamId: 0, flags: 0, payload: news }));
    const frame = encodeFrame({ type: 'data', streamId: 1, flags: 0, payload: Buffer.from('x') });
    frame.writeUInt8(42, 0);
    link.agent.receive(frame);
    link.console.wake(7);
    link.settle();
    expect(link.wakes).toEqual([7]);
  });

  it('throws when the peer sends past the window', () => {
    const link = pair();
    const stream = link.console.open(logs);
    const frame = { type: 'data' as const, streamId: stream.id, flags: 0, payload: Buffer.alloc(FRAME_PAYLOAD_MAX) };
    for (let sent = 0; sent < STREAM_WINDOW_BYTES; sent += FRAME_PAYLOAD_MAX) link.console.receive(encodeFrame(frame));
    expect(() => link.console.receive(encodeFrame(frame))).toThrow(FrameError);
  });
});
