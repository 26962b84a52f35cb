import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as route from '@/app/api/[[...path]]/route';
import { apiKernel } from '@/lib/api/kernel';
import { users } from '@/lib/accounts/collection';
import { serveNode } from '@/lib/http/node-door';
import type { AnyRow } from '@/lib/records/collection';
import { StoreReader } from '@/lib/records/transaction';
import { realtimeHub } from '@/lib/realtime/hub';
import { authorizationOf } from '../setup/call';
import { openPrivateDatabase } from '../setup/database';
import { createHost, createImage, createUser, createWorkspace } from '../setup/world';

openPrivateDatabase();

type Door = (path: string, init?: RequestInit) => Promise<Response>;

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

let server: Server;
let admin: { id: string };
let host: AnyRow;
let image: AnyRow;

const doors: Record<'node' | 'fetch', Door> = {
  node: (path, init) => fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, init),
  fetch: (path, init) => {
    const method = (init?.method ?? 'GET') as keyof typeof route;
    return (route[method] as (request: Request) => Promise<Response>)(new Request(`http://127.0.0.1${path}`, init));
  },
};

beforeAll(async () => {
  server = createServer((request, response) => void serveNode(apiKernel(), request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  admin = await createUser({ isAdmin: true, username: 'doorkeeper' });
  host = await createHost({ name: 'doors' });
  image = await createImage({ build_on: host.id, name: 'doors' });
});
afterAll(async () => {
  realtimeHub().closeAll();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** Headers that mean something to a client; the rest are the doors' own. */
const COMPARED = [
  'access-control-allow-headers',
  'access-control-allow-methods',
  'access-control-allow-origin',
  'access-control-max-age',
  'cache-control',
  'content-disposition',
  'content-security-policy',
  'content-type',
  'retry-after',
  'set-cookie',
  'vary',
  'x-accel-buffering',
  'x-content-type-options',
  'x-frame-options',
  'x-xss-protection',
];

/** What differs from one call to the next, made the same. */
function steady(text: string): string {
  return text
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}Z/g, 'DATE')
    .replace(/"(id|containerId|workspace|token|expiresAt)":"[^"]+"/g, '"$1":"SOME"')
    .replace(/"diskFreeBytes":\d+/g, '"diskFreeBytes":0')
    .replace(/icon_\w+\.png/g, 'icon_SOME.png')
    .replace(/avatar_\w+\.png/g, 'avatar_SOME.png')
    .replace(/through-(node|fetch)/g, 'through');
}

async function answerOf(door: Door, { path, ...init }: RequestInit & { path: string }) {
  const response = await door(path, init);
  const headers = Object.fromEntries(COMPARED.map((name) => [name, response.headers.get(name)]));
  // The server packs what goes out by itself; behind the other door Next does.
  headers.vary = headers.vary?.replace(/(?:, )?Accept-Encoding$/, '') || null;
  return { status: response.status, headers, body: steady(await response.text()) };
}

interface Case {
  title: string;
  method?: string;
  path: string | (() => string);
  status: number;
  headers?: Record<string, string>;
  body?: (door: string) => BodyInit;
  as?: 'admin';
}

const json = { 'content-type': 'application/json' };
const records = '/api/collections/workspaces/records';
const text = (value: unknown) => () => JSON.stringify(value);
const avatar = () => {
  const form = new FormData();
  form.set('name', 'Mara');
  form.set('avatar', new File([PNG], 'avatar.png'));
  return form;
};

const cases: Case[] = [
  {
    title: 'a create',
    method: 'POST',
    path: `${records}?expand=host&can=1`,
    status: 200,
    headers: json,
    as: 'admin',
    body: (door) => JSON.stringify({ name: `through-${door}`, host: host.id, image: image.id }),
  },
  { title: 'a list', path: `${records}?sort=name&perPage=1&fields=items.name,totalItems`, status: 200, as: 'admin' },
  { title: 'a list of a guest', path: records, status: 200 },
  {
    title: 'a filter with every kind of character',
    path: `${records}?filter=name%3D%27%26%2B%25%23%20%C3%BC%27`,
    status: 200,
    as: 'admin',
  },
  { title: 'a bad filter', path: `${records}?filter=(`, status: 400, as: 'admin' },
  { title: 'field errors', method: 'POST', path: records, status: 400, headers: json, body: text({}), as: 'admin' },
  { title: 'malformed JSON', method: 'POST', path: records, status: 400, headers: json, body: () => '{"a":' },
  {
    title: 'another content type',
    method: 'POST',
    path: records,
    status: 400,
    headers: { 'content-type': 'text/xml' },
    body: () => '<a/>',
  },
  {
    title: 'an empty JSON body',
    method: 'POST',
    path: '/api/collections/users/auth-refresh',
    status: 200,
    headers: json,
    as: 'admin',
  },
  {
    title: 'a body over the limit',
    method: 'POST',
    path: '/api/collections/users/auth-with-password',
    status: 413,
    headers: json,
    body: () => 'x'.repeat(300_000),
  },
  { title: 'a wrong method', method: 'PUT', path: records, status: 404 },
  { title: 'an unknown path', path: '/api/nothing/here', status: 404 },
  { title: 'an unknown record', path: `${records}/nosuchrecord000`, status: 404, as: 'admin' },
  {
    title: 'a call of the pages alone from elsewhere',
    method: 'DELETE',
    path: '/api/session',
    status: 403,
    headers: { origin: 'https://evil.test' },
  },
  {
    title: 'a sign-out',
    method: 'DELETE',
    path: '/api/session',
    status: 204,
    headers: { 'sec-fetch-site': 'same-origin' },
  },
  { title: 'health', path: '/api/health', status: 200 },
  { title: 'health by HEAD', method: 'HEAD', path: '/api/health', status: 200 },
  { title: 'HEAD where there is none', method: 'HEAD', path: records, status: 404 },
  { title: 'a trailing slash', path: '/api/health/', status: 200 },
  { title: 'a percent-encoded collection', path: '/api/collections/work%73paces/records', status: 200 },
  {
    title: 'a percent-encoded id',
    path: () =>
      `/api/collections/hosts/records/%${String(host.id).charCodeAt(0).toString(16)}${String(host.id).slice(1)}`,
    status: 200,
    as: 'admin',
  },
  { title: 'an encoded slash, which is no slash', path: '/api/collections%2Fhosts/records', status: 404 },
  { title: 'a broken escape', path: `${records}/%E0%A4`, status: 404, as: 'admin' },
  { title: 'a foreign origin', path: '/api/health', status: 200, headers: { origin: 'https://elsewhere.test' } },
  {
    title: 'a preflight',
    method: 'OPTIONS',
    path: records,
    status: 204,
    headers: {
      origin: 'https://elsewhere.test',
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'authorization,content-type',
    },
  },
  {
    title: 'a multipart update',
    method: 'PATCH',
    path: () => `/api/collections/users/records/${admin.id}`,
    status: 200,
    as: 'admin',
    body: avatar,
  },
  {
    title: 'a file',
    path: () => `/api/files/users/${admin.id}/${new StoreReader().get(users, admin.id)!.avatar}`,
    status: 200,
  },
  {
    title: 'a thumbnail',
    path: () =>
      `/api/files/users/${admin.id}/${new StoreReader().get(users, admin.id)!.avatar}?thumb=100x100&download=1`,
    status: 200,
  },
  { title: 'a file that is none', path: () => `/api/files/users/${admin.id}/..%2F..%2F..%2Fberth.db`, status: 404 },
];

describe('both doors answer alike', () => {
  test.each(cases)('$title', async ({ method, path, status, headers, body, as }) => {
    const ask = (door: 'node' | 'fetch') =>
      answerOf(doors[door], {
        method,
        path: typeof path === 'string' ? path : path(),
        headers: { ...headers, ...(as ? authorizationOf(admin.id) : {}) },
        body: body?.(door),
      });
    const byNode = await ask('node');
    const byFetch = await ask('fetch');
    expect(byNode.status).toBe(status);
    expect(byFetch).toEqual(byNode);
    if (status >= 400 && method !== 'HEAD') {
      expect(JSON.parse(byNode.body)).toMatchObject({ code: status, data: expect.any(Object) as object });
    }
    if (status === 204 || method === 'HEAD') expect(byNode.body).toBe('');
  });
});

describe.each(['node', 'fetch'] as const)('through the %s door', (door) => {
  test('an event stream starts at once, and ends when its reader goes', async () => {
    const before = realtimeHub().size;
    const abort = new AbortController();
    const response = await doors[door]('/api/realtime', { signal: abort.signal });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const first = await response.body!.getReader().read();
    expect(Buffer.from(first.value!).toString()).toMatch(/^id:\w{40}\nevent:PB_CONNECT\n/);
    expect(realtimeHub().size).toBe(before + 1);
    abort.abort();
    await expect.poll(() => realtimeHub().size).toBe(before);
  });

  test('an event stream ends when its body is given up', async () => {
    const before = realtimeHub().size;
    const response = await doors[door]('/api/realtime');
    await response.body!.cancel();
    await expect.poll(() => realtimeHub().size).toBe(before);
  });

  test('a record is created, changed and deleted', async () => {
    const headers = { ...json, ...authorizationOf(admin.id) };
    const { id } = await createWorkspace({ host: host.id, image: image.id });
    const path = `${records}/${String(id)}`;
    const changed = await doors[door](path, { method: 'PATCH', headers, body: '{"description":"ü"}' });
    expect(await changed.json()).toMatchObject({ description: 'ü' });
    const gone = await doors[door](path, { method: 'DELETE', headers });
    expect([gone.status, await gone.text(), gone.headers.get('content-type')]).toEqual([204, '', null]);
    expect((await doors[door](path, { headers })).status).toBe(404);
  });

  test('a connection goes on after a body over the limit', async () => {
    const big = { method: 'POST', headers: json, body: 'x'.repeat(2_000_000) };
    for (let count = 0; count < 3; count += 1) {
      const answer = await doors[door]('/api/collections/users/auth-with-password', big);
      expect([answer.status, ((await answer.json()) as AnyRow).code]).toEqual([413, 413]);
    }
    expect((await doors[door]('/api/health')).status).toBe(200);
  });
});
