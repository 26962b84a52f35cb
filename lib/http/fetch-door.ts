import { Readable } from 'node:stream';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { AppError } from '@/lib/errors';
import type { KernelResponse, RequestContext } from './context';
import type { Kernel } from './kernel';
import { isMarkedLocal, LOCAL_HEADER } from './local';
import { readableOutlet, type Outlet } from '@/lib/outlet';

/** Next's door: a Route Handler's Request to the same kernel. It serves `next dev`, plain `next start` and tests. */
class FetchContext implements RequestContext {
  readonly method: string;
  readonly path: string;
  readonly rawQuery: string;
  readonly query: URLSearchParams;
  readonly isSecure: boolean;
  params: Record<string, string> = {};

  constructor(private readonly request: Request) {
    const url = new URL(request.url);
    this.method = request.method;
    this.path = url.pathname.length > 1 && url.pathname.endsWith('/') ? url.pathname.slice(0, -1) : url.pathname;
    this.rawQuery = url.search.slice(1);
    this.query = url.searchParams;
    this.isSecure = url.protocol === 'https:';
  }

  header(name: string): string {
    return this.request.headers.get(name) ?? '';
  }

  /** Next does not tell the socket's address; limits by address hold on the server's own lane. */
  readonly address = '';

  get isLocal(): boolean {
    return isMarkedLocal(this.request.headers.get(LOCAL_HEADER));
  }

  get signal(): AbortSignal {
    return this.request.signal;
  }

  async body(limitBytes: number): Promise<Buffer> {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of this.bodyStream() as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > limitBytes) throw new AppError('too_large', `The body is larger than ${limitBytes} bytes.`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks, size);
  }

  bodyStream(): Readable {
    const body = this.request.body;
    return body ? Readable.fromWeb(body as unknown as NodeReadableStream) : Readable.from([]);
  }
}

/** Answers one fetch request from the kernel. */
export async function serveFetch(kernel: Kernel, request: Request): Promise<Response> {
  return toResponse(await kernel.handle(new FetchContext(request)), request);
}

function toResponse(answer: KernelResponse, { method, signal }: Request): Response {
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headers ?? {})) {
    for (const one of Array.isArray(value) ? value : [value]) headers.append(name, one);
  }
  if (answer.json !== undefined && !headers.has('content-type')) {
    headers.set('content-type', 'application/json; charset=utf-8');
  }
  const isBodyless = method === 'HEAD' || answer.status === 204 || answer.status === 304;
  const content = answer.live ? liveBody(answer.live, signal) : contentOf(answer);
  if (content instanceof Readable) {
    if (isBodyless) content.destroy();
    return new Response(isBodyless ? null : toWebStream(content), {
      status: answer.status,
      headers,
    });
  }
  const body = content === undefined ? null : typeof content === 'string' ? content : new Uint8Array(content);
  return new Response(isBodyless ? null : body, { status: answer.status, headers });
}

function contentOf({ json, body }: KernelResponse): KernelResponse['body'] {
  return json === undefined ? body : JSON.stringify(json);
}

function liveBody(live: (outlet: Outlet) => void, signal: AbortSignal): Readable {
  const outlet = readableOutlet();
  if (signal.aborted) outlet.destroy();
  else signal.addEventListener('abort', () => outlet.destroy(), { once: true });
  live(outlet);
  return outlet.stream;
}

/** Not `Readable.toWeb`: that throws into the process when a reader gives up while a chunk is on its way. */
function toWebStream(body: Readable): ReadableStream<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Buffer | string>;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(typeof value === 'string' ? Buffer.from(value) : value);
      },
      cancel() {
        body.destroy();
      },
    },
    { highWaterMark: 0 },
  );
}
