import http from 'node:http';
import os from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startConsole, type ConsoleProcess } from '../setup/console-process';

/** Who may set up a console without its code: whoever asks on its own machine, by no proxy. */
let built: ConsoleProcess;

beforeAll(async () => {
  built = await startConsole({ env: { BERTH_LOCAL_AGENT: 'off', LOG_LEVEL: 'silent', HOST: '0.0.0.0' } });
});
afterAll(() => built.dispose());

const networkAddress = Object.values(os.networkInterfaces())
  .flat()
  .find((each) => each?.family === 'IPv4' && !each.internal)?.address;

function ask(path: string, headers: Record<string, string>, host = '127.0.0.1'): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = http.get({ host, port: built.port, path, headers }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve(text));
    });
    request.on('error', reject);
  });
}
const asksCode = async (headers: Record<string, string>, host?: string) => {
  const { code } = JSON.parse(await ask('/api/setup', headers, host)) as { code: boolean };
  expect((await ask('/first-steps', headers, host)).includes('placeholder="XXXX-XXXX"')).toBe(code);
  return code;
};

test('is printed once the console is ready, whatever its log says', async () => {
  await expect.poll(() => built.output()).toMatch(/^set-up code: [A-Z2-9]{4}-[A-Z2-9]{4}$/m);
});

test.each(['127.0.0.1', 'localhost', '127.0.0.1:80', 'LOCALHOST:3000', '[::1]:3000'])(
  'is not asked for at %s',
  async (host) => {
    expect(await asksCode({ host })).toBe(false);
  },
);

test.each([
  { host: 'berth.example.org' },
  { host: '10.0.0.5:3000' },
  { host: 'localhost.evil.test' },
  { host: '127.0.0.1.evil.test' },
  { host: 'localhost', 'x-forwarded-for': '203.0.113.9' },
  { host: 'localhost', forwarded: 'for=203.0.113.9' },
  { host: 'localhost', 'x-real-ip': '203.0.113.9' },
  { host: 'localhost', via: '1.1 proxy' },
  { host: 'berth.example.org', 'x-berth-local': '1' },
])('is asked for with %j', async (headers) => {
  expect(await asksCode(headers as unknown as Record<string, string>)).toBe(true);
});

test.skipIf(!networkAddress)('is asked for at the address of a network, whatever the host is called', async () => {
  expect(await asksCode({ host: 'localhost' }, networkAddress)).toBe(true);
});
