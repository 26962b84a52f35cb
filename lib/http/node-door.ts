import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '@/lib/errors';
import { env } from '@/lib/env';
import { log } from '@/lib/log';
import { singleton } from '@/lib/singleton';
import type { KernelResponse, RequestContext } from './context';
import type { Kernel } from './kernel';
import { isPackable, packer, pickEncoding } from './encoding';
import { isLocalRequest } from './local';
import { socketOutlet, type Outlet } from '@/lib/outlet';
import { createProxyTrust, type ProxyTrust } from './proxy-trust';

const trust = (): ProxyTrust => singleton('proxy-trust', () => createProxyTrust(env().trustedProxies));

/** Address of whoever sent a request; of the trusted proxy's client where one is configured. */
export function callerAddress({ socket, headers }: IncomingMessage): string {
  return trust().clientAddress(socket.remoteAddress ?? '', [headers['x-forwarded-for'] ?? ''].flat().join(', '));
}

/** Most single reads have none, and handlers only read it. */
const NO_QUERY = new URLSearchParams();

/** The server's own lane: a node request straight to the kernel, without Request and Response objects in between. */
class NodeContext implements RequestContext {
  readonly method: string;
  readonly path: string;
  readonly rawQuery: string;
  params: Record<string, string> = {};
  private parsedQuery: URLSearchParams | undefined;
  private abort: AbortController | undefined;
  /** A request that was given up no longer has one. */
  private readonly socket: Socket;

  constructor(
    private readonly request: IncomingMessage,
    private readonly response: ServerResponse,
  ) {
    this.socket = request.socket;
    this.method = request.method ?? 'GET';
    const url = request.url ?? '/';
    const mark = url.indexOf('?');
    const path = mark < 0 ? url : url.slice(0, mark);
    this.path = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
    this.rawQuery = mark < 0 ? '' : url.slice(mark + 1);
  }

  get query(): URLSearchParams {
    return (this.parsedQuery ??= this.rawQuery === '' ? NO_QUERY : new URLSearchParams(this.rawQuery));
  }

  header(name: string): string {
    const value = this.request.headers[name];
    return Array.isArray(value) ? value.join(', ') : (value ?? '');
  }

  get address(): string {
    return trust().clientAddress(this.socket.remoteAddress ?? '', this.header('x-forwarded-for'));
  }

  get isSecure(): boolean {
    return trust().isSecure(this.socket.remoteAddress ?? '', this.header('x-forwarded-proto'));
  }

  get isLocal(): boolean {
    return isLocalRequest(this.request);
  }

  get signal(): AbortSignal {
    if (!this.abort) {
      const abort = (this.abort = new AbortController());
      this.response.once('close', () => abort.abort());
    }
    return this.abort.signal;
  }

  body(limitBytes: number): Promise<Buffer> {
    return readAll(this.request, limitBytes).catch((error: unknown) => {
      // Whoever hung up in the middle is no failure of ours, and nobody hears the answer.
      if (error instanceof AppError || !this.request.destroyed) throw error;
      throw new AppError('invalid', 'The body ended before its time.');
    });
  }

  bodyStream(): Readable {
    return this.request;
  }
}

async function readAll(stream: Readable, limitBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limitBytes) break;
    chunks.push(chunk);
  }
  if (size > limitBytes) {
    // The rest is read and dropped: many clients look for an answer only once they have sent everything.
    stream.resume();
    throw new AppError('too_large', `The body is larger than ${limitBytes} bytes.`);
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size);
}

/** Answers one node request from the kernel. */
export async function serveNode(kernel: Kernel, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const context = new NodeContext(request, response);
  try {
    await send(await kernel.handle(context), context, response);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== 'ERR_STREAM_PREMATURE_CLOSE' && code !== 'ABORT_ERR') {
      log.warn({ err: error, path: context.path }, 'answer cut off');
    }
    response.destroy();
  }
}

async function send(answer: KernelResponse, context: RequestContext, response: ServerResponse): Promise<void> {
  if (answer.live) return sendLive(answer, answer.live, response);
  const headers: Record<string, string | string[] | number> = { ...answer.headers };
  const body = answer.json === undefined ? answer.body : JSON.stringify(answer.json);
  if (answer.json !== undefined) headers['content-type'] ??= 'application/json; charset=utf-8';
  if (body === undefined || typeof body === 'string' || Buffer.isBuffer(body)) {
    const sent = typeof body === 'string' ? await packed(body, { answer, context, headers }) : body;
    if (answer.status !== 204) headers['content-length'] ??= sent === undefined ? 0 : Buffer.byteLength(sent);
    response.writeHead(answer.status, headers);
    response.end(context.method === 'HEAD' ? undefined : sent);
    return;
  }
  response.writeHead(answer.status, headers);
  if (context.method === 'HEAD') {
    body.destroy();
    response.end();
    return;
  }
  response.flushHeaders();
  await pipeline(body, response);
}

interface Sending {
  answer: KernelResponse;
  context: RequestContext;
  headers: Record<string, string | string[] | number>;
}

/** The text as the client likes it best, with the headers that say so. */
async function packed(text: string, { answer, context, headers }: Sending): Promise<string | Buffer> {
  if (!isPackable(answer.status, headers)) return text;
  headers.vary = headers.vary ? `${[headers.vary].flat().join(', ')}, Accept-Encoding` : 'Accept-Encoding';
  const encoding = pickEncoding(context.header('accept-encoding'));
  const bytes = encoding && (await packer.pack(encoding, text));
  if (!bytes) return text;
  headers['content-encoding'] = encoding;
  return bytes;
}

/** Without a length and without chunks: the body ends with the connection. */
function sendLive(answer: KernelResponse, live: (outlet: Outlet) => void, response: ServerResponse): void {
  response.removeHeader('transfer-encoding');
  response.writeHead(answer.status, { ...answer.headers, connection: 'close' });
  response.flushHeaders();
  live(socketOutlet(response));
}
