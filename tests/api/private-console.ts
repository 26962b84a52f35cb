import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { closeDb } from '@/db/client';
import { resetEnv } from '@/lib/env';
import { AppError } from '@/lib/errors';
import type { KernelResponse, Route } from '@/lib/http/context';
import { createKernel } from '@/lib/http/kernel';
import { createRouter } from '@/lib/http/router';

export interface Call {
  method: string;
  /** With the query. */
  url: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  signal?: AbortSignal;
}

/** A console of its own: a fresh database in a folder that `close` removes. One per test file. */
export function openPrivateConsole(): { close(): void } {
  const folder = mkdtempSync(path.join(tmpdir(), 'berth-test-'));
  process.env.BERTH_DATA_DIR = folder;
  process.env.BERTH_SECRET = 'a secret for tests only, long enough to be taken';
  process.env.LOG_LEVEL = 'silent';
  resetEnv();
  return {
    close() {
      closeDb();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Calls real routes through the real kernel, as a request of the network would. */
export function createCaller(routes: readonly Route[]): (call: Call) => Promise<KernelResponse> {
  const kernel = createKernel(createRouter(routes));
  return ({ method, url, headers = {}, body = '', signal = new AbortController().signal }) => {
    const [target = '', rawQuery = ''] = url.split('?');
    const bytes = Buffer.from(body);
    return kernel.handle({
      method,
      path: target,
      rawQuery,
      query: new URLSearchParams(rawQuery),
      params: {},
      header: (name) => headers[name] ?? '',
      address: '127.0.0.1',
      isSecure: false,
      async body(limitBytes) {
        if (bytes.length > limitBytes) throw new AppError('too_large', 'Request entity too large.');
        return bytes;
      },
      bodyStream: () => Readable.from([bytes]),
      signal,
    });
  };
}
