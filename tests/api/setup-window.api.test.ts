import { afterEach, expect, test } from 'vitest';
import { setClock } from '@/lib/clock';
import { call } from '../setup/call';
import { openPrivateDatabase } from '../setup/database';
import { everything } from '../setup/snapshot';

openPrivateDatabase();

const HOUR_MS = 3_600_000;
const body = {
  email: 'ada@example.com',
  name: 'Ada',
  username: 'ada',
  password: 'Secret123!',
  passwordConfirm: 'Secret123!',
};
let resetClock = () => {};

afterEach(() => resetClock());

test('the set-up closes an hour after the start, and says how to open it again', async () => {
  const startedMs = Date.now() - process.uptime() * 1000;
  expect((await call('GET', '/api/setup')).json).toEqual({ needed: true, code: false });
  resetClock = setClock(() => startedMs + HOUR_MS + 1000);
  const before = everything();
  for (const method of ['GET', 'POST']) {
    const { status, json } = await call(method, '/api/setup', method === 'POST' ? { body } : {});
    expect(status).toBe(403);
    expect(json.message).toMatch(/set-?up window has closed.*60 minutes.*Restart Berth/i);
  }
  expect(everything()).toBe(before);
  resetClock = setClock(() => startedMs + HOUR_MS - 60_000);
  expect((await call('POST', '/api/setup', { body })).status).toBe(200);
  expect((await call('GET', '/api/setup')).json.message).toBe('The setup is done already.');
});
