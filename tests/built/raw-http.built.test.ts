import net from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startConsole, type ConsoleProcess } from '../setup/console-process';

/** Bytes that no client would send, to the built console: it answers in order or hangs up, and goes on. */
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

const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
const post = (head: string, body = '') =>
  `POST /api/collections/users/auth-with-password HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${head}\r\n\r\n${body}`;
const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`;

test.each<[string, string | Buffer, readonly number[]]>([
  ['no HTTP', 'hello\r\n\r\n', [400]],
  ['random bytes', Buffer.from(Array.from({ length: 500 }, (_, index) => (index * 7919) % 256)), [400]],
  ['a TLS greeting', Buffer.from('16030100c8010000c40303', 'hex'), [400]],
  ['an unknown method', 'BREW /api/health HTTP/1.1\r\nhost: x\r\n\r\n', [400]],
  ['no host', 'GET /api/health HTTP/1.1\r\n\r\n', [400]],
  ['headers without end', `GET /api/health HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(100_000)}`, [431]],
  ['very many headers', `GET /api/health HTTP/1.1\r\nhost: x\r\n${'a: b\r\n'.repeat(20_000)}\r\n`, [431]],
  ['a very long address', get(`/api/health?${'x'.repeat(60_000)}`), [431]],
  ['a negative length', post('content-length: -5'), [400]],
  ['a length that is no number', post('content-length: many'), [400]],
  ['two lengths', post('content-length: 2\r\ncontent-length: 3', '{}'), [400]],
  ['a length and chunks', post('content-length: 2\r\ntransfer-encoding: chunked', '0\r\n\r\n'), [400]],
  ['a chunk that is none', post('transfer-encoding: chunked', 'zz\r\n{}\r\n'), [400]],
  ['bad percent signs', get('/api/collections/%zz/records/%'), [404]],
  ['a way up', get('/api/../../../../etc/passwd'), [404, 308, 307, 200]],
  ['an address of another server', get('http://example.org/api/health'), [200, 404, 308]],
  ['raw bytes in the address', Buffer.from(get('/api/collections/\u00ff\u00fe/records'), 'latin1'), [400, 404]],
  ['a null in the address', get('/api/collections/a\u0000b/records'), [400]],
  ['an upgrade to nowhere', 'GET /api/health HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n', []],
])('%s', async (_, bytes, expected) => {
  const [status] = statuses(await exchange(bytes));
  if (expected.length === 0) expect(status).toBeUndefined();
  else if (status !== undefined) expect(expected).toContain(status);
  expect((await fetch(`${built.url}/api/health`)).status).toBe(200);
});

test('an absurd length waits for its body without taking room for it, and ends with the connection', async () => {
  const memory = async () => (await fetch(`${built.url}/api/health`)).status;
  const waiting = Array.from({ length: 50 }, () =>
    exchange(post('content-type: application/json\r\ncontent-length: 9007199254740991', '{"identity":'), 800),
  );
  expect(await memory()).toBe(200);
  for (const text of await Promise.all(waiting)) expect([[], [400], [408], [413]]).toContainEqual(statuses(text));
  expect(await memory()).toBe(200);
});

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
