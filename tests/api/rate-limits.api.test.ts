import fs from 'node:fs';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { closeDb, getDb } from '@/db/database';
import { apiKernel } from '@/lib/api/kernel';
import { startSession } from '@/lib/auth/sessions';
import { nowMs, setClock } from '@/lib/clock';
import { users } from '@/lib/accounts/collection';
import { issueToken } from '@/lib/auth/tokens';
import { newId } from '@/lib/ids';
import { hashPassword } from '@/lib/passwords';
import type { AnyRow } from '@/lib/records/collection';
import { StoreReader } from '@/lib/records/transaction';
import { sweepRateLimits } from '@/lib/stores/rate-limits';
import { bundleApiServer, startApi } from '../setup/api-process';
import { openPrivateDatabase } from '../setup/database';
import { readOutbox } from '../setup/outbox';
import { everything } from '../setup/snapshot';
import { createUser } from '../setup/world';
import { callKernel } from './kernel-caller';

openPrivateDatabase();

const PASSWORD = 'Secret123!';
/** Wrong like any other, and so long that it is never hashed: for tries that only have to be many. */
const NEVER_HASHED = 'x'.repeat(1001);
const USERS = '/api/collections/users';
let passwordHash: string;
let user: AnyRow & { id: string };
let resetClock = () => {};
let hosts = 0;

beforeAll(async () => {
  passwordHash = await hashPassword(PASSWORD);
});

beforeEach(async () => {
  resetClock();
  user = await createUser({ passwordHash, isAdmin: true });
});

afterEach(() => resetClock());

/** An address that no other try came from. */
function freshAddress(): string {
  hosts += 1;
  return `198.51.${Math.floor(hosts / 250)}.${hosts % 250}`;
}

interface Tried {
  status: number;
  message: string;
  data: unknown;
  retryAfter: string;
}

async function post(url: string, body: unknown, from: { address?: string; token?: string } = {}): Promise<Tried> {
  const answer = await callKernel(apiKernel(), {
    method: 'POST',
    url,
    address: from.address ?? freshAddress(),
    headers: { 'content-type': 'application/json', authorization: from.token ?? '' },
    body: JSON.stringify(body),
  });
  const json = (answer.json ?? {}) as { message?: string; data?: unknown };
  const retryAfter = String(answer.headers?.['retry-after'] ?? '');
  return { status: answer.status, message: json.message ?? '', data: json.data, retryAfter };
}

const signIn = (identity: string, password: string, address?: string, at = USERS) =>
  post(`${at}/auth-with-password`, { identity, password }, { address });

async function failTimes(times: number, identity: string, address?: string): Promise<void> {
  for (let turn = 0; turn < times; turn += 1) {
    expect((await signIn(identity, 'wrong', address ?? freshAddress())).status).toBe(400);
  }
}

const counted = (): number => getDb().sqlite.prepare('SELECT COUNT(*) FROM rate_limits').pluck().get() as number;

describe('signing in by password', () => {
  test('is refused after ten wrong tries at one account, with how long to wait', async () => {
    const start = nowMs();
    resetClock = setClock(() => start);
    await failTimes(10, String(user.username));
    resetClock = setClock(() => start + 60_000);
    const before = everything();
    const refused = await signIn(String(user.username), PASSWORD);
    expect(refused).toEqual({
      status: 429,
      message: 'Quota exceeded. Maximum allowed: 10 requests per 5 minutes. Please try again in 240 seconds.',
      data: {},
      retryAfter: '240',
    });
    expect(everything()).toBe(before);
    resetClock = setClock(() => start + 300_000);
    expect((await signIn(String(user.username), PASSWORD)).status).toBe(200);
  });

  test('counts neither what succeeds nor a form that is not filled in', async () => {
    const email = String(user.email);
    for (let turn = 0; turn < 12; turn += 1) expect((await signIn(email, PASSWORD)).status).toBe(200);
    for (let turn = 0; turn < 12; turn += 1) expect((await signIn(email, '')).status).toBe(400);
    await failTimes(9, email);
    expect((await signIn(email, PASSWORD)).status).toBe(200);
  });

  test('lets no more wrong tries through when they come all at once', async () => {
    const tries = Array.from({ length: 30 }, () => signIn(String(user.email), 'wrong'));
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 400)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
  });

  test('treats an unknown account exactly as a known one, before any hash', async () => {
    const unknown = `${newId()}@example.com`;
    await failTimes(10, unknown);
    const began = performance.now();
    await failTimes(10, String(user.email));
    const hashedMs = performance.now() - began;
    const answers = [await signIn(unknown, 'wrong'), await signIn(String(user.email), 'wrong')];
    for (let turn = 0; turn < 8; turn += 1) await signIn(String(user.email), 'wrong');
    expect(performance.now() - began - hashedMs).toBeLessThan(hashedMs / 3);
    const shape = ({ status, message, data }: Tried) => [status, message.replace(/\d+ seconds/, 'n seconds'), data];
    expect(shape(answers[0]!)).toEqual(shape(answers[1]!));
    expect(answers[0]!.status).toBe(429);
  });

  test('counts every spelling of a name together', async () => {
    const name = String(user.username);
    const fullWidth = name.replace(/[a-z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0));
    await failTimes(4, name);
    await failTimes(3, name.toUpperCase());
    await failTimes(3, fullWidth);
    expect((await signIn(` ${name} `, 'wrong')).status).toBe(429);
  });

  test('counts the administration door together with the other', async () => {
    await failTimes(5, String(user.email));
    for (let turn = 0; turn < 5; turn += 1) await signIn(String(user.email), 'wrong', undefined, '/api/admins');
    expect((await signIn(String(user.email), PASSWORD, undefined, '/api/admins')).status).toBe(429);
  });

  test('is refused to an address after a hundred wrong tries at many accounts', async () => {
    const address = freshAddress();
    for (let turn = 0; turn < 100; turn += 1) {
      expect((await signIn(newId(), NEVER_HASHED, address)).status).toBe(400);
    }
    const refused = await signIn(String(user.email), PASSWORD, address);
    expect([refused.status, refused.message]).toEqual([
      429,
      expect.stringMatching(
        /^Quota exceeded. Maximum allowed: 100 requests per 5 minutes. Please try again in \d+ sec/,
      ),
    ]);
    expect((await signIn(String(user.email), PASSWORD)).status).toBe(200);
  });

  test('takes an IPv6 network of 64 bits for one address', async () => {
    for (let turn = 0; turn < 100; turn += 1) {
      await signIn(newId(), NEVER_HASHED, `2001:db8:0:7::${turn.toString(16)}`);
    }
    expect((await signIn(String(user.email), PASSWORD, '2001:db8:0:7:ffff::1')).status).toBe(429);
    expect((await signIn(String(user.email), PASSWORD, '2001:db8:0:8::1')).status).toBe(200);
  });

  test('stays open to an address where the account is signed in, whatever others try', async () => {
    const home = freshAddress();
    await startSession(user.id, { address: home, userAgent: '', isSecure: false });
    await failTimes(10, String(user.email));
    expect((await signIn(String(user.email), PASSWORD)).status).toBe(429);
    expect((await signIn(String(user.email), PASSWORD, home)).status).toBe(200);
    await failTimes(5, String(user.email), home);
    expect((await signIn(String(user.email), PASSWORD, home)).status).toBe(429);
    resetClock = setClock(() => Date.now() + 15_000);
    expect((await signIn(String(user.email), PASSWORD, home)).status).toBe(200);
  });

  test('stays open to an address that its owner signed in from before', async () => {
    const home = freshAddress();
    expect((await signIn(String(user.email), PASSWORD, home)).status).toBe(200);
    await failTimes(10, String(user.email));
    expect((await signIn(String(user.email), PASSWORD)).status).toBe(429);
    expect((await signIn(String(user.email), PASSWORD, home)).status).toBe(200);
  });

  test('counts the name and the address of an account together', async () => {
    await failTimes(5, String(user.email));
    await failTimes(5, String(user.username));
    expect((await signIn(String(user.email), PASSWORD)).status).toBe(429);
  });

  test('is refused after the database was opened anew as before', async () => {
    await failTimes(10, String(user.email));
    closeDb();
    getDb();
    expect((await signIn(String(user.email), PASSWORD)).status).toBe(429);
  });

  test('turns a megabyte of password away without hashing it', async () => {
    const megabyte = 'x'.repeat(1024 * 1024);
    expect((await signIn(String(user.email), megabyte)).status).toBe(413);
    const began = performance.now();
    const token = issueToken(user as unknown as { id: string; tokenKey: string }, 'auth', users.id);
    const answer = await callKernel(apiKernel(), {
      method: 'PATCH',
      url: `${USERS}/records/${user.id}`,
      headers: { authorization: token, 'content-type': 'application/json' },
      body: JSON.stringify({ password: megabyte, passwordConfirm: megabyte, oldPassword: megabyte }),
    });
    expect(answer.status).toBe(413);
    expect(performance.now() - began).toBeLessThan(200);
  });
});

describe('the old password of a change', () => {
  const change = (who: AnyRow, oldPassword: string, address = freshAddress()) =>
    callKernel(apiKernel(), {
      method: 'PATCH',
      url: `${USERS}/records/${String(who.id)}`,
      address,
      headers: {
        authorization: issueToken(new StoreReader().get(users, String(who.id))!, 'auth', users.id),
        'content-type': 'application/json',
      },
      body: JSON.stringify({ oldPassword, password: 'Another!pass1', passwordConfirm: 'Another!pass1' }),
    });

  test('is tried as often as a password, told to the audit log, and keeps nobody from signing in', async () => {
    const person = await createUser({ passwordHash });
    const other = await createUser({ passwordHash });
    for (let turn = 0; turn < 10; turn += 1) expect((await change(person, 'wrong')).status).toBe(400);
    const refused = await change(person, PASSWORD);
    expect([refused.status, refused.headers?.['retry-after']]).toEqual([429, expect.any(String)]);
    expect((await signIn(String(person.username), PASSWORD)).status).toBe(200);
    expect((await change(other, PASSWORD)).status).toBe(200);
    const told = getDb()
      .sqlite.prepare(
        "SELECT outcome, COUNT(*) AS count FROM audit WHERE action = 'password.change' AND record = ? GROUP BY 1",
      )
      .all(person.id);
    expect(told).toEqual([{ outcome: 'failure', count: 10 }]);
  });

  test('is counted by address too', async () => {
    const address = freshAddress();
    for (let turn = 0; turn < 98; turn += 1) {
      expect((await signIn(`nobody${turn}`, NEVER_HASHED, address)).status).toBe(400);
    }
    const person = await createUser({ passwordHash });
    for (let time = 0; time < 2; time += 1) expect((await change(person, 'wrong', address)).status).toBe(400);
    expect((await change(await createUser({ passwordHash }), PASSWORD, address)).status).toBe(429);
    expect((await signIn(String(user.username), PASSWORD, address)).status).toBe(429);
  });

  test('waits in a queue of its own: a flood of changes keeps nobody from signing in', async () => {
    const people = await Promise.all(Array.from({ length: 40 }, () => createUser({ passwordHash })));
    const changes = people.flatMap((person) => Array.from({ length: 3 }, () => change(person, 'wrong')));
    expect((await signIn(String(user.username), PASSWORD)).status).toBe(200);
    const statuses = (await Promise.all(changes)).map(({ status }) => status);
    expect(statuses).toContain(429);
    expect(new Set(statuses)).toEqual(new Set([400, 429]));
  });
});

describe('calls that send mail', () => {
  const mails = (address: string): number => readOutbox().filter((mail) => mail.includes(address)).length;

  test.each([
    ['request-password-reset', `${USERS}/request-password-reset`],
    ['request-verification', `${USERS}/request-verification`],
    ['an admin’s request-password-reset', '/api/admins/request-password-reset'],
  ])('%s is refused after its number for an account, known or not', async (_, path) => {
    for (const email of [String(user.email), `${newId()}@example.com`]) {
      for (let turn = 0; turn < 10; turn += 1) expect((await post(path, { email })).status).toBe(204);
      const sent = mails(email);
      const refused = await post(path, { email: email.toUpperCase() });
      expect([refused.status, refused.data]).toEqual([429, {}]);
      expect(refused.message).toMatch(
        /^Quota exceeded. Maximum allowed: 10 requests per 1 hour. Please try again in \d+ /,
      );
      expect(mails(email)).toBe(sent);
    }
  });

  test('are refused to an address after a hundred', async () => {
    const address = freshAddress();
    const ask = () => post(`${USERS}/request-password-reset`, { email: `${newId()}@example.com` }, { address });
    for (let turn = 0; turn < 100; turn += 1) expect((await ask()).status).toBe(204);
    expect((await ask()).status).toBe(429);
  });

  test('a change of address is refused after twenty', async () => {
    const { tokenKey } = new StoreReader().get(users, user.id)!;
    const token = issueToken({ id: user.id, tokenKey }, 'auth', users.id);
    const ask = () => post(`${USERS}/request-email-change`, { newEmail: `${newId()}@example.com` }, { token });
    for (let turn = 0; turn < 20; turn += 1) expect((await ask()).status).toBe(204);
    expect((await ask()).status).toBe(429);
  });
});

describe('other doors', () => {
  test('an address may guess mailed tokens so often', async () => {
    const address = freshAddress();
    const paths = ['confirm-password-reset', 'confirm-verification', 'confirm-email-change'];
    for (let turn = 0; turn < 120; turn += 1) {
      const answer = await post(`${USERS}/${paths[turn % 3]}`, { token: newId(), password: 'x' }, { address });
      expect(answer.status).toBe(400);
    }
    expect((await post(`${USERS}/confirm-verification`, { token: 'x' }, { address })).status).toBe(429);
    expect((await post('/api/admins/confirm-password-reset', { token: 'x' }, { address })).status).toBe(429);
    expect((await post(`${USERS}/confirm-verification`, { token: 'x' })).status).toBe(400);
  });

  test('an address may come from a provider so often', async () => {
    const address = freshAddress();
    const come = () => post(`${USERS}/auth-with-oauth2`, { provider: 'x' }, { address });
    for (let turn = 0; turn < 120; turn += 1) expect((await come()).status).toBe(400);
    expect((await come()).status).toBe(429);
  });

  test('what has run out is swept away', async () => {
    const start = nowMs();
    await failTimes(1, newId());
    resetClock = setClock(() => start + 2 * 3_600_000);
    await sweepRateLimits();
    expect(counted()).toBe(0);
  });

  test('a clock that is put back locks nobody out', async () => {
    const start = nowMs();
    resetClock = setClock(() => start + 86_400_000);
    await failTimes(10, String(user.email));
    resetClock = setClock(() => start);
    expect((await signIn(String(user.email), PASSWORD)).status).toBe(200);
  });
});

describe('a console process', () => {
  const trySignIn = (url: string, forwardedFor: string, identity: string, password = NEVER_HASHED) =>
    fetch(`${url}${USERS}/auth-with-password`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': forwardedFor },
      body: JSON.stringify({ identity, password }),
    });

  test('remembers tries through a kill, and believes only its proxies about addresses', async () => {
    await bundleApiServer();
    const first = await startApi();
    try {
      for (let turn = 0; turn < 10; turn += 1) {
        expect((await trySignIn(first.url, `203.0.113.${turn}`, 'ada', 'wrong')).status).toBe(400);
      }
      for (let turn = 0; turn < 90; turn += 1) await trySignIn(first.url, `203.0.113.${turn}`, `someone-${turn}`);
      expect((await trySignIn(first.url, '203.0.113.250', 'nobody')).status).toBe(429);
      await first.kill('SIGKILL');
      const second = await startApi({ dataDir: first.dataDir, env: { BERTH_TRUSTED_PROXIES: '127.0.0.1' } });
      try {
        expect((await trySignIn(second.url, '203.0.113.250', 'ada')).status).toBe(429);
        expect((await trySignIn(second.url, '203.0.113.250', 'nobody')).status).toBe(400);
        expect((await trySignIn(second.url, '', 'nobody')).status).toBe(429);
      } finally {
        await second.kill('SIGKILL');
      }
    } finally {
      await first.kill('SIGKILL');
      fs.rmSync(first.dataDir, { recursive: true, force: true });
    }
  }, 60_000);
});
