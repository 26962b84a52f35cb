import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';

/** Where a body is written as things happen, without anyone asking for more. */
export interface Outlet {
  write(text: string): void;
  /** What the client has not taken yet, in bytes or characters. */
  readonly waiting: number;
  /** Ends the body in order. */
  end(): void;
  /** Cuts the client off. */
  destroy(): void;
  /** Names who is told, once, when the client is gone; at once if it is already. */
  onClosed(listener: () => void): void;
}

/**
 * Writes straight to the connection, which ends with the body: a message to thousands of clients costs each of them one
 * write, without framing or pipes in between. The head must have been sent.
 */
export function socketOutlet(response: ServerResponse): Outlet {
  const { socket } = response;
  return {
    write(text) {
      if (socket?.writable) socket.write(text);
    },
    get waiting() {
      return socket?.writableLength ?? 0;
    },
    end() {
      response.end();
    },
    destroy() {
      response.destroy();
    },
    onClosed(listener) {
      if (response.destroyed) listener();
      else response.once('close', listener);
    },
  };
}

/** An outlet whose texts are read from a stream. */
export function readableOutlet(): Outlet & { readonly stream: Readable } {
  const stream = new Readable({ read() {} });
  const isOpen = () => !stream.destroyed && !stream.readableEnded;
  return {
    stream,
    write(text) {
      if (isOpen()) stream.push(text);
    },
    get waiting() {
      return stream.readableLength;
    },
    end() {
      if (isOpen()) stream.push(null);
    },
    destroy() {
      stream.destroy();
    },
    onClosed(listener) {
      if (stream.destroyed) listener();
      else stream.once('close', listener);
    },
  };
}
