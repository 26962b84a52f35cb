import {
  decodeCredit,
  decodeFrame,
  encodeCredit,
  encodeFrame,
  FLAG_CANCELLED,
  FLAG_FINISHED,
  type Frame,
  FrameError,
  STREAM_ID_MAX,
} from './frames';
import { LinkStream, type MuxStream, toJson } from './mux-stream';
import {
  endSchema,
  errorSchema,
  linkNewsSchema,
  openKindSchema,
  openStreamSchema,
  type OpenStream,
  resizeSchema,
} from './streams';

/** The part of a WebSocket that the link needs; `ws` fits as it is. */
export interface MuxSocket {
  readonly bufferedAmount: number;
  /** `done` is called when the bytes have left, or could not. */
  send(bytes: Uint8Array, done: (error?: Error) => void): void;
}

export interface MuxOptions {
  socket: MuxSocket;
  /** The peer opened a stream. Throwing, or leaving this out, refuses it with the error's words. */
  onOpen?(stream: MuxStream, open: OpenStream): void;
  onWake?(revision: number): void;
  onGoAway?(afterMs: number): void;
}

/** Streams over one socket. Both ends use it; ids are given by the opening end, which is the console. */
export interface Mux {
  open(payload: OpenStream): MuxStream;
  /** Takes one binary message. Throws a FrameError when the peer broke the protocol: close the socket then. */
  receive(message: Uint8Array): void;
  wake(revision: number): void;
  goAway(afterMs: number): void;
  /** The socket is gone: every open stream gets `onError(reason)`, unsent writes reject. Does nothing the second time. */
  close(reason: string): void;
  readonly openStreams: number;
}

/** No more data is handed to the socket beyond this, so that a control frame waits behind little. */
const SOCKET_BUFFER_BYTES = 128 * 1024;
/** By so much may the windows of all streams grow together, which bounds what slow readers can have wait here. */
export const GROWN_WINDOWS_BYTES = 32 * 1024 * 1024;

class LinkMux implements Mux {
  private readonly streams = new Map<number, LinkStream>();
  private lastId = 0;
  private isClosed = false;
  private isPumping = false;
  private grownBytes = 0;

  constructor(private readonly options: MuxOptions) {}

  get openStreams(): number {
    return this.streams.size;
  }

  open(payload: OpenStream): MuxStream {
    const stream = this.createStream(this.nextId());
    if (this.isClosed) {
      stream.receiveError('The live link is closed');
      return stream;
    }
    this.sendNow({ type: 'open', streamId: stream.id, flags: 0, payload: toJson(payload) });
    return stream;
  }

  receive(message: Uint8Array): void {
    if (this.isClosed) return;
    const frame = decodeFrame(Buffer.from(message.buffer, message.byteOffset, message.byteLength));
    if (!frame) return;
    if (frame.type === 'wake') this.receiveNews(frame);
    else if (frame.type === 'open') this.receiveOpen(frame);
    else this.receiveForStream(frame);
  }

  wake(revision: number): void {
    this.sendNow({ type: 'wake', streamId: 0, flags: 0, payload: toJson({ revision }) });
  }

  goAway(afterMs: number): void {
    this.sendNow({ type: 'wake', streamId: 0, flags: 0, payload: toJson({ goAway: { afterMs } }) });
  }

  close(reason: string): void {
    if (this.isClosed) return;
    this.isClosed = true;
    for (const stream of [...this.streams.values()]) stream.receiveError(reason);
  }

  private createStream(id: number): LinkStream {
    const stream = new LinkStream(id, {
      sendControl: (frame) => this.sendNow(frame),
      sendCredit: (streamId, bytes) =>
        this.sendNow({ type: 'credit', streamId, flags: 0, payload: encodeCredit(bytes) }),
      wantsToSend: () => this.pump(),
      reserve: (bytes) => this.reserve(bytes),
      forget: (streamId) => this.streams.delete(streamId),
    });
    this.streams.set(id, stream);
    return stream;
  }

  private reserve(bytes: number): boolean {
    if (this.grownBytes + bytes > GROWN_WINDOWS_BYTES) return false;
    this.grownBytes += bytes;
    return true;
  }

  private nextId(): number {
    do this.lastId = this.lastId >= STREAM_ID_MAX ? 1 : this.lastId + 1;
    while (this.streams.has(this.lastId));
    return this.lastId;
  }

  private receiveNews(frame: Frame): void {
    const news = linkNewsSchema.safeParse(readJson(frame.payload));
    // A newer peer may have news that this side doesn't know.
    if (!news.success) return;
    if ('goAway' in news.data) this.options.onGoAway?.(news.data.goAway.afterMs);
    else this.options.onWake?.(news.data.revision);
  }

  private receiveOpen(frame: Frame): void {
    if (frame.streamId === 0 || this.streams.has(frame.streamId)) {
      throw new FrameError(`Stream ${frame.streamId} can't be opened`);
    }
    const stream = this.createStream(frame.streamId);
    try {
      if (!this.options.onOpen) throw new FrameError('This side opens streams only');
      this.options.onOpen(stream, readOpen(frame.payload));
    } catch (error) {
      stream.fail(error instanceof Error ? error.message : String(error));
    }
  }

  /** Frames for a stream that is over are late, not wrong. */
  private receiveForStream(frame: Frame): void {
    const stream = this.streams.get(frame.streamId);
    if (!stream) return;
    if (frame.type === 'data') {
      if (frame.payload.length > 0) stream.receiveData(frame.payload);
      if ((frame.flags & FLAG_FINISHED) !== 0) stream.receiveFinish();
    } else if (frame.type === 'credit') stream.receiveCredit(decodeCredit(frame.payload));
    else if (frame.type === 'resize') stream.receiveResize(parseJson(frame.payload, resizeSchema));
    else if (frame.type === 'error') stream.receiveError(parseJson(frame.payload, errorSchema).message);
    else if (frame.type === 'end') {
      stream.receiveEnd(parseJson(frame.payload, endSchema), (frame.flags & FLAG_CANCELLED) !== 0);
    }
  }

  /** Control frames go straight to the socket, past all data that still waits here. */
  private sendNow(frame: Frame): void {
    if (this.isClosed) return;
    this.options.socket.send(encodeFrame(frame), () => this.pump());
  }

  /** Hands data to the socket, a frame of each stream in turn, while the socket keeps up. */
  private pump(): void {
    if (this.isPumping || this.isClosed) return;
    this.isPumping = true;
    let sent = true;
    while (sent && !this.isClosed) {
      sent = false;
      for (const stream of [...this.streams.values()]) {
        if (this.options.socket.bufferedAmount >= SOCKET_BUFFER_BYTES) break;
        const frame = stream.nextFrame();
        if (!frame) continue;
        sent = true;
        this.sendNow(frame);
        this.takeTurn(stream);
      }
    }
    this.isPumping = false;
  }

  /** Moves a stream behind the others, so that a full socket doesn't favour the oldest. */
  private takeTurn(stream: LinkStream): void {
    if (!this.streams.delete(stream.id)) return;
    this.streams.set(stream.id, stream);
  }
}

export function createMux(options: MuxOptions): Mux {
  return new LinkMux(options);
}

function readJson(payload: Buffer): unknown {
  try {
    return JSON.parse(payload.toString('utf8'));
  } catch (error) {
    throw new FrameError('A control frame is no JSON', { cause: error });
  }
}

function parseJson<T>(payload: Buffer, schema: { parse(value: unknown): T }): T {
  const value = readJson(payload);
  try {
    return schema.parse(value);
  } catch (error) {
    throw new FrameError('A control frame has an unknown shape', { cause: error });
  }
}

/** What is to be opened, by the console. Throws with words for people when only a newer agent knows it. */
function readOpen(payload: Buffer): OpenStream {
  const asked = readJson(payload);
  const open = openStreamSchema.safeParse(asked);
  if (open.success) return open.data;
  const kind = openKindSchema.safeParse(asked).data?.kind ?? 'unknown';
  throw new FrameError(`The agent is too old for streams of kind ${kind}. Update it.`, { cause: open.error });
}
