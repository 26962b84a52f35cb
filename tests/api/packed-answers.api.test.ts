import http, { type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createKernel } from '@/lib/http/kernel';
import type { Route } from '@/lib/http/context';
import { serveNode } from '@/lib/http/node-door';
import { createRouter } from '@/lib/http/router';
import { createScope, eventStream } from '@/lib/http/sse';

const rows = { items: Array.from({ length: 200 }, (_, index) => ({ id: `w${index}`, name: `workspace-${index}` })) };
const text = JSON.stringify(rows);

const get = (path: string, handle: Route['handle']): Route => ({ method: 'GET', path, handle });
const routes: Route[] = [
  get('/api/rows', () => ({ status: 200, json: rows })),
  { method: 'HEAD', path: '/api/rows', handle: () => ({ status: 200, json: rows }) },
  get('/api/small', () => ({ status: 200, json: { ok: true } })),
  get('/api/refusal', () => ({ status: 400, json: { ...rows } })),
  get('/api/varied', () => ({ status: 200, json: rows, headers: { vary: 'Origin' } })),
  get('/api/picture', () => ({ status: 200, body: Buffer.alloc(5000), headers: { 'content-type': 'image/png' } })),
  get('/api/events', (context) =>
    eventStream(
      createScope(context.signal),
      (async function* () {
        yield { data: rows };
      })(),
    ),
  ),
];

let server: http.Server;
beforeAll(async () => {
  const kernel = createKernel(createRouter(routes));
  server = http.createServer((request, response) => void serveNode(kernel, request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Not by `fetch`, which unpacks by itself. */
function ask(path: string, accepted?: string, method = 'GET'): Promise<Answer> {
  const { port } = server.address() as AddressInfo;
  const headers = accepted === undefined ? {} : { 'accept-encoding': accepted };
  return new Promise((resolve, reject) => {
    http
      .request({ port, path, method, headers, agent: false }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks) }),
        );
      })
      .on('error', reject)
      .end();
  });
}

it.each([
  ['br', 'gzip, deflate, br', brotliDecompressSync],
  ['gzip', 'gzip', gunzipSync],
] as const)('answers in %s whoever takes it', async (encoding, accepted, unpack) => {
  const { status, headers, body } = await ask('/api/rows', accepted);
  expect(status).toBe(200);
  expect(headers).toMatchObject({ 'content-encoding': encoding, vary: 'Accept-Encoding' });
  expect(headers['content-length']).toBe(String(body.length));
  expect(body.length).toBeLessThan(text.length / 4);
  expect(unpack(body).toString()).toBe(text);
});

it.each([[undefined], ['identity'], ['br;q=0, gzip;q=0']])('answers plainly to "%s"', async (accepted) => {
  const { headers, body } = await ask('/api/rows', accepted);
  expect(headers['content-encoding']).toBeUndefined();
  expect(headers).toMatchObject({ vary: 'Accept-Encoding', 'content-length': String(text.length) });
  expect(body.toString()).toBe(text);
});

it('tells by HEAD what GET would send', async () => {
  const { headers } = await ask('/api/rows', 'br');
  const head = await ask('/api/rows', 'br', 'HEAD');
  expect(head.body.length).toBe(0);
  expect(head.headers).toMatchObject({ 'content-encoding': 'br', 'content-length': headers['content-length'] });
});

it('keeps what an answer varies by, and packs refusals too', async () => {
  expect((await ask('/api/varied', 'br')).headers.vary).toBe('Origin, Accept-Encoding');
  const refusal = await ask('/api/refusal', 'br');
  expect([refusal.status, refusal.headers['content-encoding']]).toEqual([400, 'br']);
});

it.each([['/api/small'], ['/api/picture'], ['/api/events']])('leaves %s as it is', async (path) => {
  expect((await ask(path, 'br, gzip')).headers['content-encoding']).toBeUndefined();
});
