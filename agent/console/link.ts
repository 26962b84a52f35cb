import type { Agent } from 'node:http';
import WebSocket from 'ws';
import { createMux, type Mux } from '../../lib/protocol/mux';
import type { MuxStream } from '../../lib/protocol/mux-stream';
import { LINK_PING_MS, type OpenStream } from '../../lib/protocol/streams';
import { Backoff } from '../backoff';
import type { AgentClock } from '../clock';
import { toMessage } from '../engines/engine-error';
import type { AgentLog } from '../log';
import { waitFor } from '../wait';

export interface LinkOptions {
  clock: AgentClock;
  log: AgentLog;
  /** Dials through a proxy; undefined dials directly. */
  agent?: Agent | undefined;
  target(): Promise<{ url: string; authorization: string }>;
  onOpen(stream: MuxStream, open: OpenStream): void;
  onWake(revision: number): void;
  onUp(): void;
}

const BACKOFF = { firstMs: 500, longestMs: 60_000 };
const HEALTHY_MS = 60_000;
/** Two pings missed and some grace. */
const SILENCE_MAX_MS = LINK_PING_MS * 2 + 5000;
const HANDSHAKE_TIMEOUT_MS = 10_000;
/** How long a connection that may be dead has to answer. */
const PROBE_TIMEOUT_MS = 5000;
/** How long the console has to answer a goodbye. */
const GOODBYE_TIMEOUT_MS = 1000;

/** The live link to the console: kept up as long as the agent runs. */
export class LiveLink {
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;
  private isOpen = false;
  private pause = new AbortController();
  private watch: SilenceWatch | undefined;
  /** Whether to dial at once when this connection is over. */
  private isDue = false;

  constructor(private readonly options: LinkOptions) {}

  get isUp(): boolean {
    return this.isOpen;
  }

  start(): void {
    this.running = this.keepUp();
  }

  /** The console can be reached again: dials at once where it waits for its next try, or as soon as what it has proves dead. */
  retry(): void {
    this.pause.abort();
    this.isDue = !this.isOpen;
    this.watch?.probe(() => {
      this.isDue = true;
    });
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async keepUp(): Promise<void> {
    const { clock, log } = this.options;
    const backoff = new Backoff({ ...BACKOFF, random: () => clock.random() });
    while (!this.stopping.signal.aborted) {
      const outcome = await this.runOnce().catch((error: unknown) => ({
        upMs: 0,
        awayMs: 0,
        reason: toMessage(error),
      }));
      if (this.stopping.signal.aborted) return;
      if (outcome.upMs >= HEALTHY_MS) backoff.reset();
      log.debug({ reason: outcome.reason }, 'The live link is down');
      this.pause = new AbortController();
      if (this.isDue) this.pause.abort();
      this.isDue = false;
      await waitFor(
        Math.max(backoff.next(), outcome.awayMs),
        AbortSignal.any([this.stopping.signal, this.pause.signal]),
      );
    }
  }

  /** One connection, from its opening to its end. */
  private async runOnce(): Promise<{ upMs: number; awayMs: number; reason: string }> {
    const { url, authorization } = await this.options.target();
    const { agent, clock } = this.options;
    const socket = new WebSocket(url, {
      headers: { authorization },
      ...(agent ? { agent } : {}),
      perMessageDeflate: false,
      ...(isUnread(url) && { generateMask: (mask: Buffer) => void mask.fill(0) }),
      handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
    });
    let awayMs = 0;
    let openedAtMs = 0;
    let mux: Mux | undefined;
    const stop = (): void => {
      socket.close(1001);
      setTimeout(() => socket.terminate(), GOODBYE_TIMEOUT_MS).unref();
    };
    this.stopping.signal.addEventListener('abort', stop, { once: true });
    const watch = watchSilence(socket);
    this.watch = watch;
    const reason = await new Promise<string>((resolve) => {
      socket.on('open', () => {
        openedAtMs = clock.now();
        mux = createMux({
          socket,
          onOpen: (stream, open) => this.options.onOpen(stream, open),
          onWake: (revision) => this.options.onWake(revision),
          onGoAway: (afterMs) => {
            awayMs = afterMs;
            socket.close(1001);
          },
        });
        this.isOpen = true;
        this.isDue = false;
        this.options.onUp();
      });
      socket.on('message', (data, isBinary) => this.receive(mux, { socket, data, isBinary }));
      socket.on('error', (error) => resolve(error.message));
      socket.on('close', (code) => resolve(`closed with ${code}`));
    });
    this.isOpen = false;
    watch.stop();
    this.watch = undefined;
    this.stopping.signal.removeEventListener('abort', stop);
    socket.terminate();
    mux?.close('The live link was lost');
    return { upMs: openedAtMs ? clock.now() - openedAtMs : 0, awayMs, reason };
  }

  private receive(mux: Mux | undefined, got: { socket: WebSocket; data: WebSocket.RawData; isBinary: boolean }): void {
    try {
      if (got.isBinary) mux?.receive(got.data as Buffer);
    } catch (error) {
      this.options.log.warn({ error: toMessage(error) }, 'The console broke the protocol of the live link');
      got.socket.close(1002);
    }
  }
}

/**
 * Whether nobody on the way reads the bytes: masks keep what a workspace says from looking like a request to a proxy that does,
 * and cost more than all else that is done with a byte.
 */
function isUnread(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'wss:' || hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}

interface SilenceWatch {
  /** Asks for a sign of life now, and drops the connection when none comes. */
  probe(onDead: () => void): void;
  stop(): void;
}

/** Pings, and drops a connection from which nothing comes: a cut cable tells nobody. */
function watchSilence(socket: WebSocket): SilenceWatch {
  let lastHeardMs = performance.now();
  let probing: NodeJS.Timeout | undefined;
  const heard = (): void => {
    lastHeardMs = performance.now();
    clearTimeout(probing);
  };
  for (const sign of ['pong', 'ping', 'message']) socket.on(sign, heard);
  const pinging = setInterval(() => {
    if (performance.now() - lastHeardMs > SILENCE_MAX_MS) socket.terminate();
    else if (socket.readyState === WebSocket.OPEN) socket.ping();
  }, LINK_PING_MS);
  return {
    probe(onDead) {
      if (socket.readyState !== WebSocket.OPEN) return;
      clearTimeout(probing);
      socket.ping();
      probing = setTimeout(() => {
        onDead();
        socket.terminate();
      }, PROBE_TIMEOUT_MS);
    },
    stop() {
      clearInterval(pinging);
      clearTimeout(probing);
    },
  };
}
