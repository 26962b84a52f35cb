import { Readable } from 'node:stream';
import '@/lib/api/collections';
import { startAreas } from '@/lib/api/start-areas';
import { AppError } from '@/lib/errors';
import type { KernelResponse, Route } from '@/lib/http/context';
import { createKernel, type Kernel } from '@/lib/http/kernel';
import { createRouter } from '@/lib/http/router';

export interface Call {
  method: string;
  /** With the query. */
  url: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  signal?: AbortSignal;
  /** Whom the door says it is from. */
  address?: string;
}

/** Calls real routes through the real kernel, as a request of the network would. */
export function createCaller(routes: readonly Route[]): (call: Call) => Promise<KernelResponse> {
  startAreas();
  const kernel = createKernel(createRouter(routes));
  return (call) => callKernel(kernel, call);
}

/** A call through a kernel, as a request of the network would be. */
export function callKernel(
  kernel: Kernel,
  { method, url, headers = {}, body = '', signal = new AbortController().signal, address = '127.0.0.1' }: Call,
): Promise<KernelResponse> {
  const [target = '', rawQuery = ''] = url.split('?');
  const bytes = Buffer.from(body);
  return kernel.handle({
    method,
    path: target,
    rawQuery,
    query: new URLSearchParams(rawQuery),
    params: {},
    header: (name) => headers[name] ?? '',
    address,
    isSecure: false,
    isLocal: address === '127.0.0.1',
    async body(limitBytes) {
      if (bytes.length > limitBytes) throw new AppError('too_large', 'Request entity too large.');
      return bytes;
    },
    bodyStream: () => Readable.from([bytes]),
    signal,
  });
}
