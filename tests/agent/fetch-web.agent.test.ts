import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openWeb } from '@/agent/jobs/fetch-web';
import { AllowedSources } from '@/lib/protocol/allowed-sources';

/** No name server is asked here: every name is this machine, as a stranger's could be. */
vi.mock('node:dns/promises', () => ({ lookup: async () => [{ address: '127.0.0.1', family: 4 }] }));

const asked: string[] = [];
const server = http.createServer((request, response) => {
  asked.push(`${request.headers.host?.replace(/:\d+$/, '')}${request.url}`);
  const to = /^\/to\/(.*)$/.exec(request.url ?? '')?.[1];
  if (to !== undefined) response.writeHead(302, { location: decodeURIComponent(to) }).end();
  else if (request.url === '/data') response.end('data');
  else response.writeHead(404).end();
});
let port: number;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function get(path: string, { allowed = ['127.0.0.1'], host = 'files.example.org' } = {}): Promise<string> {
  const { signal } = new AbortController();
  const sources = new AllowedSources(allowed);
  return text(await openWeb(`http://${host}:${port}${path}`, { sources, proxy: {}, signal }));
}

describe('a file of the web', () => {
  it('is read from the address that was looked at, redirects followed', async () => {
    expect(await get('/data')).toBe('data');
    expect(await get(`/to/${encodeURIComponent(`http://other.example.org:${port}/data`)}`)).toBe('data');
    expect(asked.slice(-2)).toEqual([expect.stringMatching(/^files\.example\.org\/to/), 'other.example.org/data']);
  });

  it('is not dialled where a public name stands for this machine', async () => {
    const before = asked.length;
    await expect(get('/data', { allowed: [] })).rejects.toThrow(
      /files\.example\.org is 127\.0\.0\.1, which is no address of the internet/,
    );
    expect(asked).toHaveLength(before);
    expect(await get('/data', { allowed: ['files.example.org'] })).toBe('data');
  });

  it.each([
    'http://10.0.0.1/',
    'http://[::1]/',
    'file:///etc/passwd',
    'http://localhost/data',
    'gopher://x.example.org/',
  ])('does not lead to %s', async (to) => {
    await expect(get(`/to/${encodeURIComponent(to)}`)).rejects.toThrow(/is not fetched/);
  });

  it('tells what it answered, and does not go on for ever', async () => {
    await expect(get('/none')).rejects.toThrow(`http://files.example.org:${port}/none answered 404`);
    const self = `http://files.example.org:${port}`;
    let loop = `${self}/data`;
    for (let hop = 0; hop < 7; hop += 1) loop = `${self}/to/${encodeURIComponent(loop)}`;
    await expect(get(new URL(loop).pathname)).rejects.toThrow('leads on and on');
  });
});
