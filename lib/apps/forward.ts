import 'server-only';
import http, { type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AppName } from '@/lib/vocabulary/app-address';
import { TooSlow } from './explain';
import { pairsOf, toBrowser, valuesOf } from './headers';
import { NoTunnel, tunnelAgent } from './tunnel-agent';

/** Nothing comes or goes for so long. */
export const IDLE_MS = 600_000;
/** What an answer's head may come to. */
export const HEAD_BYTES = 64 * 1024;
/** For how long what is still sent is read after an answer that did not wait for it. */
const LINGER_MS = 2000;
const BODILESS = new Set(['GET', 'HEAD', 'OPTIONS', 'DELETE', 'TRACE']);

/** A request that goes on to a workspace. */
export interface Forwarding {
  app: AppName;
  /** As the workspace hears them. */
  headers: string[];
  ownCookies: ReadonlySet<string>;
  /** Nothing of an answer has been sent yet. */
  onFailure(error: unknown): void;
}

/** The parts of a request that both kinds share. */
export function requestOf(
  { method, url }: IncomingMessage,
  { app, headers }: Pick<Forwarding, 'app' | 'headers'>,
): http.RequestOptions {
  return {
    agent: tunnelAgent(),
    host: app.workspace,
    port: app.port,
    method,
    path: url,
    headers: headers as unknown as http.OutgoingHttpHeaders,
    maxHeaderSize: HEAD_BYTES,
    timeout: IDLE_MS,
  };
}

/**
 * Hands a request on to a workspace's port and its answer back, as they come: nothing is held beyond the windows of the streams, and
 * whoever hangs up ends the other side.
 */
export function forward(request: IncomingMessage, response: ServerResponse, forwarding: Forwarding): void {
  const headers = [...forwarding.headers, ...framing(request)];
  const upstream = http.request(requestOf(request, { ...forwarding, headers }));
  // Whoever has more to say than fits in the head's own limit is heard of; the number of headers is bound by it.
  upstream.maxHeadersCount = 0;
  let isOver = false;
  upstream.on('continue', () => response.writeContinue());
  upstream.on('timeout', () => upstream.destroy(new TooSlow()));
  upstream.on('upgrade', (_answer, tunnel) => {
    tunnel.destroy();
    if (!isOver && !response.headersSent) forwarding.onFailure(new Error('It upgrades what was not asked to be'));
  });
  upstream.on('response', (answer) => relay(answer, { request, response, upstream, forwarding }));
  upstream.on('error', (error) => {
    if (isOver || response.destroyed) return;
    if (response.headersSent) return void response.destroy();
    if (isSpent(error, upstream, request)) return forward(request, response, forwarding);
    forwarding.onFailure(error);
  });
  response.once('close', () => {
    isOver = true;
    upstream.destroy();
  });
  if (hasBody(request)) sendBody(request, upstream);
  else upstream.end();
}

/** How the body is told to end, which belongs to each connection for itself. */
function framing({ method = 'GET', headers }: IncomingMessage): string[] {
  if (headers['transfer-encoding'] !== undefined) return ['Transfer-Encoding', 'chunked'];
  return headers['content-length'] === undefined && !BODILESS.has(method) ? ['Content-Length', '0'] : [];
}

export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

function sendBody(request: IncomingMessage, upstream: ClientRequest): void {
  // Whoever waits to be asked for the body has the workspace ask.
  if (request.headers.expect !== undefined) upstream.flushHeaders();
  request.pipe(upstream, { end: false });
  request.once('end', () => {
    if (request.rawTrailers.length > 0) upstream.addTrailers(trailersOf(request));
    upstream.end();
  });
}

/** A spare connection that the other end had just given up: what has no body can be asked again. */
function isSpent(error: Error, upstream: ClientRequest, request: IncomingMessage): boolean {
  if (error instanceof NoTunnel || !upstream.reusedSocket || hasBody(request)) return false;
  const isRepeatable = BODILESS.has(request.method ?? '') && request.method !== 'DELETE';
  return isRepeatable && (error as NodeJS.ErrnoException).code === 'ECONNRESET';
}

interface Relaying {
  request: IncomingMessage;
  response: ServerResponse;
  upstream: ClientRequest;
  forwarding: Forwarding;
}

function relay(answer: IncomingMessage, { request, response, upstream, forwarding }: Relaying): void {
  if (response.destroyed || response.headersSent) return void upstream.destroy();
  try {
    response.writeHead(answer.statusCode ?? 502, answer.statusMessage, answerHeaders(answer, forwarding.ownCookies));
  } catch (error) {
    upstream.destroy();
    return forwarding.onFailure(error);
  }
  if (request.headers.expect !== undefined || isStream(answer)) response.flushHeaders();
  answer.pipe(response, { end: false });
  // An answer that was cut off must not look like one that is whole.
  answer.once('error', () => response.destroy());
  answer.once('end', () => {
    if (answer.rawTrailers.length > 0 && response.chunkedEncoding) response.addTrailers(trailersOf(answer));
    response.end();
    if (!request.complete) lingerOn(request, upstream);
  });
}

/** Events may be long in coming, and whoever waits for them wants to know that they will. */
function isStream(answer: IncomingMessage): boolean {
  return answer.headers['content-length'] === undefined;
}

function answerHeaders(answer: IncomingMessage, ownCookies: ReadonlySet<string>): string[] {
  const passed = toBrowser(answer.rawHeaders, ownCookies);
  // Trailers come after chunks alone.
  if (valuesOf(passed, 'content-length').length === 0) return passed;
  return [...pairsOf(passed)].flatMap(([lower, value, name]) => (lower === 'trailer' ? [] : [name, value]));
}

function trailersOf({ rawTrailers }: IncomingMessage): [string, string][] {
  return [...pairsOf(rawTrailers)].map(([, value, name]) => [name, value]);
}

/** The answer did not wait for the whole body. Hanging up at once would lose it on its way. */
function lingerOn(request: IncomingMessage, upstream: ClientRequest): void {
  request.unpipe(upstream);
  upstream.destroy();
  request.resume();
  const timer = setTimeout(() => request.destroy(), LINGER_MS);
  request.once('close', () => clearTimeout(timer));
}
