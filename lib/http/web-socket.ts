import 'server-only';
import { STATUS_CODES, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { LINK_PING_MS } from '@/lib/protocol/streams';
import { callerAddress } from './node-door';

/** The parts of an upgrade that say what it is for and who sent it. */
export interface UpgradeHead {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly address: string;
  header(name: string): string;
}

export function headOfUpgrade(request: IncomingMessage): UpgradeHead {
  const url = new URL(request.url ?? '/', 'http://console');
  const header = (name: string): string => [request.headers[name] ?? ''].flat().join(', ');
  return {
    method: request.method ?? 'GET',
    path: url.pathname.replace(/(.)\/$/, '$1'),
    query: url.searchParams,
    address: callerAddress(request),
    header,
  };
}

/** Answers an upgrade that is refused, as JSON on its socket. */
export function refuseUpgrade(socket: Duplex, { status, json }: { status: number; json?: unknown }): void {
  const body = JSON.stringify(json);
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
}

/** Pings every 15 s and drops a peer that left one unanswered; one that is held back can't answer. */
export function keepAlive(webSocket: WebSocket): () => void {
  let isAlive = true;
  webSocket.on('pong', () => (isAlive = true));
  const timer = setInterval(() => {
    if (!isAlive && !webSocket.isPaused) return webSocket.terminate();
    isAlive = false;
    webSocket.ping();
  }, LINK_PING_MS);
  timer.unref();
  return () => clearInterval(timer);
}
