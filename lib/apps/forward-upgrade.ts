import 'server-only';
import http, { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Forwarding, requestOf } from './forward';
import { pairsOf, toBrowser } from './headers';

/** A WebSocket over which nothing comes or goes for so long is given up. */
const SILENT_MS = 60 * 60_000;

/** A request for a WebSocket, on the connection that it came on. */
export interface Upgrading extends Forwarding {
  socket: Duplex;
  head: Buffer;
}

/** Hands a request for a WebSocket on to a workspace's port; once that takes it, bytes go both ways as they are. */
export function forwardUpgrade(request: IncomingMessage, { socket, head, ...forwarding }: Upgrading): void {
  const headers = [...forwarding.headers, 'Connection', 'Upgrade', 'Upgrade', 'websocket'];
  const upstream = http.request(requestOf(request, { ...forwarding, headers }));
  upstream.maxHeadersCount = 0;
  const { ownCookies, onFailure } = forwarding;
  socket.once('close', () => upstream.destroy());
  upstream.on('timeout', () => upstream.destroy());
  upstream.on('error', (error) => {
    if (!socket.destroyed && socket.writable) onFailure(error);
  });
  upstream.on('response', (answer) => {
    // The workspace wants no WebSocket there: its answer is the browser's, and the last on this connection.
    socket.write(headOf(answer, [...withoutLength(toBrowser(answer.rawHeaders, ownCookies)), 'Connection', 'close']));
    answer.once('error', () => socket.destroy());
    answer.pipe(socket);
  });
  upstream.on('upgrade', (answer, tunnel, first) => {
    tunnel.on('error', () => socket.destroy());
    socket.on('error', () => tunnel.destroy());
    tunnel.once('close', () => socket.destroy());
    socket.once('close', () => tunnel.destroy());
    tunnel.setTimeout(SILENT_MS, () => tunnel.destroy());
    const said = toBrowser(answer.rawHeaders, ownCookies);
    socket.write(headOf(answer, [...said, 'Connection', 'Upgrade', 'Upgrade', 'websocket']));
    if (first.length > 0) socket.write(first);
    if (head.length > 0) tunnel.write(head);
    tunnel.pipe(socket);
    socket.pipe(tunnel);
  });
  upstream.end();
}

/** The body ends with the connection: chunks are undone on the way. */
function withoutLength(headers: readonly string[]): string[] {
  return [...pairsOf(headers)].flatMap(([lower, value, name]) => (lower === 'trailer' ? [] : [name, value]));
}

function headOf({ statusCode = 502, statusMessage }: IncomingMessage, headers: readonly string[]): Buffer {
  const lines = [`HTTP/1.1 ${statusCode} ${statusMessage || (STATUS_CODES[statusCode] ?? '')}`];
  for (const [, value, name] of pairsOf(headers)) lines.push(`${name}: ${value}`);
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}
