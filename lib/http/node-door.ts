import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '@/lib/errors';
import { env } from '@/lib/env';
import { log } from '@/lib/log';
import { singleton } from '@/lib/singleton';
import type { KernelResponse, RequestContext } from './context';
import type { Kernel } from './kernel';
import { socketOutlet, type Outlet } from '@/lib/outlet';
import { createProxyTrust, type ProxyTrust } from './proxy-trust';

const trust = (): ProxyTrust => singleton('proxy-trust', () => createProxyTrust(env().trustedProxies));

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

  constructor(
    private readonly request: IncomingMessage,
    private readonly response: ServerResponse,
  ) {
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
    return trust().clientAddress(this.request.socket.remoteAddress ?? '', this.header('x-forwarded-for'));
  }

  get isSecure(): boolean {
    return trust().isSecure(this.request.socket.remoteAddress ?? '', this.header('x-forwarded-proto'));
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
  const answer = await kernel.handle(context);
  try {
    await send(answer, context.method, response);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== 'ERR_STREAM_PREMATURE_CLOSE' && code !== 'ABORT_ERR') {
      log.warn({ err: error, path: context.path }, 'answer cut off');
    }
    response.destroy();
  }
}

async function send(answer: KernelResponse, method: string, response: ServerResponse): Promise<void> {
  if (answer.live) return sendLive(answer, answer.live, response);
  const headers: Record<string, string | string[] | number> = { ...answer.headers };
  const body = answer.json === undefined ? answer.body : JSON.stringify(answer.json);
  if (answer.json !== undefined) headers['content-type'] ??= 'application/json; charset=utf-8';
  if (body === undefined || typeof body === 'string' || Buffer.isBuffer(body)) {
    if (answer.status !== 204) headers['content-length'] ??= body === undefined ? 0 : Buffer.byteLength(body);
    response.writeHead(answer.status, headers);
    response.end(method === 'HEAD' ? undefined : body);
    return;
  }
  response.writeHead(answer.status, headers);
  if (method === 'HEAD') {
    body.destroy();
    response.end();
    return;
  }
  response.flushHeaders();
  await pipeline(body, response);
}

/** Without a length and without chunks: the body ends with the connection. */
function sendLive(answer: KernelResponse, live: (outlet: Outlet) => void, response: ServerResponse): void {
  response.removeHeader('transfer-encoding');
  response.writeHead(answer.status, { ...answer.headers, connection: 'close' });
  response.flushHeaders();
  live(socketOutlet(response));
}
