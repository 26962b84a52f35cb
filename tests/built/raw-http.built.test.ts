import fs from 'node:fs';
import net from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startConsole, type ConsoleProcess } from '../setup/console-process';

/** Bytes that no client would send, to the built console: it answers in order, hangs up, and goes on. */
let built: ConsoleProcess;

beforeAll(async () => {
  built = await startConsole({ env: { BERTH_LOCAL_AGENT: 'off', LOG_LEVEL: 'error' } });
});
afterAll(async () => {
  expect(built.output()).not.toMatch(/request failed|uncaught|unhandled/i);
  await built.dispose();
});

/** Everything that comes back until the server hangs up, or for a moment when it doesn't. */
function exchange(bytes: string | Buffer, waitMs = 1500): Promise<string> {
  return new Promise((resolve) => {
    const socket = net.connect(built.port, '127.0.0.1');
    let text = '';
    const done = () => {
      socket.destroy();
      resolve(text);
    };
    setTimeout(done, waitMs).unref();
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    socket.on('close', done);
    socket.on('error', () => undefined);
    socket.write(bytes);
  });
}

/** The body of the last answer. */
const bodyOf = (text: string): unknown => JSON.parse(text.slice(text.lastIndexOf('\r\n\r\n') + 4));
const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
const post = (head: string, body = '') =>
  `POST /api/collections/users/auth-with-password HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${head}\r\n\r\n${body}`;
const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`;

test.each<[string, string | Buffer, number]>([
  ['no HTTP', 'hello\r\n\r\n', 400],
  ['random bytes', Buffer.from(Array.from({ length: 500 }, (_, index) => (index * 7919) % 256)), 400],
  ['a TLS greeting', Buffer.from('16030100c8010000c40303', 'hex'), 400],
  ['an unknown method', 'BREW /api/health HTTP/1.1\r\nhost: x\r\n\r\n', 400],
  ['headers without end', `GET /api/health HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(100_000)}`, 431],
  ['very many headers', `GET /api/health HTTP/1.1\r\nhost: x\r\n${'a: b\r\n'.repeat(20_000)}\r\n`, 431],
  ['a very long address', get(`/api/health?${'x'.repeat(60_000)}`), 431],
  ['a negative length', post('content-length: -5'), 400],
  ['a length that is no number', post('content-length: many'), 400],
  ['two lengths', post('content-length: 2\r\ncontent-length: 3', '{}'), 400],
  ['a length and chunks', post('content-length: 2\r\ntransfer-encoding: chunked', '0\r\n\r\n'), 400],
  ['a chunk that is none', post('transfer-encoding: chunked', 'zz\r\n{}\r\n'), 400],
  ['bad percent signs', get('/api/collections/%zz/records/%'), 404],
  ['a way up', get('/api/../../../../etc/passwd'), 400],
  ['a way up to the other door', get('/x/../api/health'), 400],
  ['a step to the same place', get('/./api/health'), 400],
  ['a way up in signs', get('/x/%2e%2E/api/health'), 400],
  ['a way up in signs throughout', get('/x%2f..%2fapi/health'), 400],
  ['half a way up in signs', get('/x/.%2e/api/health'), 400],
  ['a step at the end', get('/api/health/.'), 400],
  ['a backslash', get('/x\\..\\api/health'), 400],
  ['a backslash in signs', get('/x%5c..%5Capi/health'), 400],
  ['an address of another server', get('http://example.org/api/health'), 400],
  ['no address', 'OPTIONS * HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n', 400],
  ['raw bytes in the address', Buffer.from(get('/api/collections/\u00ff\u00fe/records'), 'latin1'), 400],
  ['a null in the address', get('/api/collections/a\u0000b/records'), 400],
])('%s is answered as any error is', async (_, bytes, status) => {
  const text = await exchange(bytes);
  expect(statuses(text)).toEqual([status]);
  expect(bodyOf(text)).toEqual({ code: status, message: expect.stringMatching(/\.$/) as string, data: {} });
  expect((await fetch(`${built.url}/api/health`)).status).toBe(200);
});

test.each(['/%61pi/health', '/API/health', '//api/health', '/en/api/health', '/api%2fhealth', '/_next/../api/health'])(
  '%s does not reach the API by another door',
  async (target) => {
    const text = await exchange(get(target), 3000);
    expect(statuses(text)).toHaveLength(1);
    expect(text).not.toContain('"code":200');
    expect(text).not.toContain('canBackup');
  },
);

test('nobody has pictures scaled by the door of the pages', async () => {
  for (const query of ['?url=%2Ficon.svg&w=640&q=75', '?url=%2Fapi%2Fhealth&w=3840&q=75', '']) {
    expect((await fetch(`${built.url}/_next/image${query}`)).status).toBe(404);
  }
});

test('no host is refused, and an upgrade to nowhere hung up on', async () => {
  expect(statuses(await exchange('GET /api/health HTTP/1.1\r\n\r\n'))).toEqual([400]);
  const upgrade = 'GET /api/health HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n';
  const start = performance.now();
  expect(await exchange(upgrade, 5000)).toBe('');
  expect(performance.now() - start).toBeLessThan(1000);
  expect((await fetch(`${built.url}/api/health`)).status).toBe(200);
});

test.each(['//example.org/%2fa', '/example.org', '///example.org/a', '/api//example.org/'])(
  '%s leads to no other server',
  async (target) => {
    const text = await exchange(get(target));
    expect(statuses(text)).toHaveLength(1);
    const location = /^location: (.*)$/im.exec(text)?.[1] ?? '/';
    expect(new URL(location, 'http://console.test').host).toBe('console.test');
  },
);

/** What the process holds in memory, in MiB. */
function residentMb(): number {
  const status = fs.readFileSync(`/proc/${built.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1024;
}

test.each(['9007199254740991', '34359738368', '33554432'])(
  'a body of %s bytes that does not come takes no room, or is refused at once',
  async (length) => {
    await exchange(post('content-type: application/json', '{}'), 300);
    const before = residentMb();
    const heads = `content-type: application/json\r\ncontent-length: ${length}`;
    const waiting = Array.from({ length: 200 }, () => exchange(post(heads, '{"identity":'), 800));
    await new Promise((resolve) => setTimeout(resolve, 400));
    const during = residentMb();
    expect((await fetch(`${built.url}/api/health`)).status).toBe(200);
    for (const text of await Promise.all(waiting)) expect([[], [413]]).toContainEqual(statuses(text));
    expect(during - before).toBeLessThan(64);
  },
);

test('requests in one go are answered in their order', async () => {
  const one = (path: string) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`;
  const text = await exchange(one('/api/health') + one('/api/nope') + one('/api/setup') + get('/api/health'));
  expect(statuses(text)).toEqual([200, 404, 200, 200]);
});

test('a body that comes too slowly does not hold up others, and a client that leaves is forgotten', async () => {
  const slow = Array.from({ length: 100 }, () => {
    const socket = net.connect(built.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(post('content-type: application/json\r\ncontent-length: 1000', '{'));
    return socket;
  });
  const start = performance.now();
  for (let count = 0; count < 20; count += 1) expect((await fetch(`${built.url}/api/health`)).status).toBe(200);
  expect(performance.now() - start).toBeLessThan(5000);
  slow.forEach((socket) => socket.destroy());
  expect((await fetch(`${built.url}/api/health`)).status).toBe(200);
});
