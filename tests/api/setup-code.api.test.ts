import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { apiKernel } from '@/lib/api/kernel';
import { setupCode } from '@/lib/accounts/sign-in/setup-code';
import { hasAnyAccount } from '@/lib/auth/accounts';
import { openPrivateDatabase } from '../setup/database';
import { callKernel } from './kernel-caller';

openPrivateDatabase();

const person = {
  username: 'ada',
  name: 'Ada',
  email: 'ada@example.org',
  password: 'Berth!pass1',
  passwordConfirm: 'Berth!pass1',
};
let calls = 0;

function post(body: object, { headers = {}, address }: { headers?: Record<string, string>; address?: string } = {}) {
  calls += 1;
  return callKernel(apiKernel(), {
    method: 'POST',
    url: '/api/setup',
    address: address ?? `192.0.2.${calls % 250}`,
    headers: { 'content-type': 'application/json', host: 'console.test', ...headers },
    body: JSON.stringify(body),
  });
}
const codeProblem = (json: unknown) => (json as { data: { code?: { code: string } } }).data.code?.code;

beforeAll(() => void apiKernel());

describe('a page of another origin', () => {
  const foreign = [
    { origin: 'https://evil.test' },
    { origin: 'null' },
    { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ];

  test.each(foreign)('sets nothing up and reads nothing: %j', async (headers) => {
    // Over the loopback address too: it is the reader's own browser that asks.
    for (const address of ['127.0.0.1', '192.0.2.1']) {
      const { status, headers: answered } = await post(
        { ...person, code: setupCode() },
        { address, headers: headers as Record<string, string> },
      );
      expect([status, answered?.['access-control-allow-origin']]).toEqual([403, undefined]);
      const told = await callKernel(apiKernel(), {
        method: 'GET',
        url: '/api/setup',
        address,
        headers: { host: 'console.test', ...headers } as Record<string, string>,
      });
      expect([told.status, told.headers?.['access-control-allow-origin']]).toEqual([403, undefined]);
    }
    expect(hasAnyAccount()).toBe(false);
  });

  test('is told by no preflight that it may', async () => {
    const headers = { origin: 'https://evil.test', 'access-control-request-method': 'POST' };
    const answer = await callKernel(apiKernel(), { method: 'OPTIONS', url: '/api/setup', headers });
    expect(Object.keys(answer.headers ?? {}).filter((name) => name.startsWith('access-control'))).toEqual([]);
    const other = await callKernel(apiKernel(), { method: 'OPTIONS', url: '/api/health', headers });
    expect(other.headers?.['access-control-allow-origin']).toBe('*');
  });
});

describe('over a network', () => {
  test('the code is asked for, at its field', async () => {
    const told = await callKernel(apiKernel(), { method: 'GET', url: '/api/setup', address: '192.0.2.1' });
    expect(told.json).toEqual({ needed: true, code: true });
    expect(setupCode()).toMatch(/^[A-Z2-9]{4}-[A-Z2-9]{4}$/);
    for (const code of [undefined, '', 5, ['x']]) {
      const { status, json } = await post({ ...person, code });
      expect([status, codeProblem(json)]).toEqual([400, 'validation_required']);
    }
    for (const code of ['AAAA-AAAA', randomUUID(), setupCode().slice(0, 8), 'x'.repeat(50_000)]) {
      const { status, json } = await post({ ...person, code });
      expect([status, codeProblem(json)]).toEqual([400, 'validation_invalid_setup_code']);
    }
    expect(hasAnyAccount()).toBe(false);
  });

  test('is guessed so often', async () => {
    const address = '198.51.100.7';
    for (let turn = 0; turn < 20; turn += 1) expect((await post({ code: 'AAAA-AAAA' }, { address })).status).toBe(400);
    expect((await post({ ...person, code: setupCode() }, { address })).status).toBe(429);
  });

  test('opens the set-up, however it is spelled', async () => {
    const code = ` ${setupCode().toLowerCase().replace('-', ' ')} `;
    const headers = { origin: 'http://console.test' };
    expect((await post({ ...person, code }, { headers })).status).toBe(200);
    expect(hasAnyAccount()).toBe(true);
  });
});
