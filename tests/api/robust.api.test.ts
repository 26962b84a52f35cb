import fc from 'fast-check';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { issueToken } from '@/lib/auth/tokens';
import { collections } from '@/lib/api/collections';
import { users } from '@/lib/accounts/collection';
import { toErrorResponse } from '@/lib/http/error-response';
import { log } from '@/lib/log';
import { StoreReader } from '@/lib/records/transaction';
import { call, send } from '../setup/call';
import { openPrivateDatabase } from '../setup/database';
import { createUser } from '../setup/world';

/** Whatever is sent is answered in order: an error of our own would be logged as `request failed`. */
openPrivateDatabase();

let admin: { id: string };
let adminToken: string;
const failures: unknown[][] = [];

beforeAll(async () => {
  admin = await createUser({ isAdmin: true });
  adminToken = issueToken(new StoreReader().get(users, admin.id)!, 'adminAuth', users.id);
});
beforeEach(() => {
  failures.length = 0;
  vi.spyOn(log, 'error').mockImplementation((...args: unknown[]) => void failures.push(args));
});
afterEach(() => {
  vi.restoreAllMocks();
  expect(failures).toEqual([]);
});

const names = collections.map(({ name }) => name);
const fields = [...new Set(collections.flatMap((each) => [...each.fields.keys()]))];
const key = fc.oneof(
  fc.constantFrom(...fields, 'id', 'password', 'passwordConfirm', 'expand', '__proto__', 'constructor'),
  fc.tuple(fc.constantFrom(...fields), fc.constantFrom('+', '-', '.0', '.x')).map((parts) => parts.join('')),
  fc.string(),
);
const value = fc.oneof(
  fc.jsonValue(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(1e308, -0, '\u0000', '[', '{"a":1}', 'aaaaaaaaaaaaaaa', null, true, ['', null, {}]),
);
const body = fc.dictionary(key, value, { maxKeys: 12 });
const runs = { numRuns: 150 };
const isOrderly = (status: number) => expect([200, 204, 206, 303, 304, 307, 400, 401, 403, 404, 429]).toContain(status);

test('an error of our own is seen by this suite', () => {
  toErrorResponse(new Error('ours'), { method: 'GET', path: '/' });
  expect(failures.splice(0)).toHaveLength(1);
});

test('bodies of creates and updates', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...names), body, fc.boolean(), async (name, sent, isUpdate) => {
      const path = `/api/collections/${name}/records`;
      const made = await call('POST', path, { as: admin, body: sent });
      isOrderly(made.status);
      if (!isUpdate || name === 'users') return;
      const [first] = (await call('GET', `${path}?perPage=1`, { as: admin })).json.items as { id: string }[];
      if (first) isOrderly((await call('PATCH', `${path}/${first.id}`, { as: admin, body: sent })).status);
    }),
    { ...runs, numRuns: 400 },
  );
}, 60_000);

test('wrong types in every field', async () => {
  const wrong = [null, 1, -1, true, 'x', '[null]', [], [null], [[]], [{}], {}, { a: null }, { aaaaaaaaaaaaaaa: {} }];
  for (const collection of collections) {
    for (const field of collection.fields.keys()) {
      for (const each of wrong) {
        const sent = { [field]: each, creationType: 'generateDockerfile' };
        isOrderly(
          (await call('POST', `/api/collections/${collection.name}/records`, { as: admin, body: sent })).status,
        );
      }
    }
  }
}, 60_000);

test('bytes instead of bodies, under any content type', async () => {
  const types = fc.constantFrom(
    'application/json',
    'multipart/form-data; boundary=x',
    'multipart/form-data',
    'application/x-www-form-urlencoded',
    'text/plain',
  );
  const part = '--x\r\nContent-Disposition: form-data; name="icon"; filename="../../a.png"\r\n\r\n';
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.uint8Array({ maxLength: 200 }).map((raw) => Buffer.concat([Buffer.from(part), raw, Buffer.from('\r\n--x--')])),
  );
  const paths = fc.constantFrom(
    ...['workspaces', 'users', 'files'].map((name) => `/api/collections/${name}/records`),
    '/api/collections/users/auth-with-password',
    '/api/collections/users/auth-with-oauth2',
    '/api/collections/users/confirm-password-reset',
    '/api/collections/users/confirm-email-change',
    '/api/realtime',
    '/api/settings',
    '/api/backups/upload',
    '/api/oauth2-redirect',
    '/api/admins',
    '/api/setup',
  );
  await fc.assert(
    fc.asyncProperty(paths, types, bytes, async (path, type, raw) => {
      const headers = { authorization: adminToken, 'content-type': type };
      const method = path === '/api/settings' ? 'PATCH' : 'POST';
      const answer = await send(path, { method, headers, body: new Uint8Array(raw) });
      isOrderly(answer.status);
      await answer.text();
    }),
    runs,
  );
}, 60_000);

test('forms of the account calls', async () => {
  const calls = fc.constantFrom(
    'auth-with-password',
    'auth-with-oauth2',
    'request-password-reset',
    'confirm-password-reset',
    'request-verification',
    'confirm-verification',
    'request-email-change',
    'confirm-email-change',
  );
  const names = [
    'identity',
    'password',
    'passwordConfirm',
    'email',
    'newEmail',
    'token',
    'provider',
    'code',
    'createData',
  ];
  const form = fc.dictionary(fc.constantFrom(...names), value);
  await fc.assert(
    fc.asyncProperty(calls, form, async (path, sent) => {
      isOrderly((await call('POST', `/api/collections/users/${path}`, { as: admin, body: sent })).status);
    }),
    runs,
  );
}, 60_000);

test('ids, names and queries of any form', async () => {
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('..', '%2e%2e', '%', '%00', "' OR 1=1"),
  );
  const paths = (one: string) => [
    `/api/collections/${one}/records`,
    `/api/collections/users/records/${one}`,
    `/api/collections/users/records/${one}/external-auths`,
    `/api/files/users/${one}/x`,
    `/api/files/users/${admin.id}/${one}?token=${one}&thumb=${one}`,
    `/api/collections/users/records?filter=${one}&sort=${one}&expand=${one}&fields=${one}&page=1`,
    `/api/collections?filter=${one}&sort=${one}`,
    `/api/admins?filter=${one}`,
    `/api/logs?filter=${one}`,
    `/api/logs/stats?filter=${one}`,
    `/api/logs/${one}`,
    `/api/backups/${one}?token=${one}`,
    `/api/oauth2-redirect?state=${one}&code=${one}`,
  ];
  await fc.assert(
    fc.asyncProperty(text, fc.boolean(), async (raw, encoded) => {
      for (const path of paths(encoded ? encodeURIComponent(raw) : raw)) {
        if (!URL.canParse(`http://berth.test${path}`)) continue;
        const answer = await send(path, { headers: { authorization: adminToken } });
        isOrderly(answer.status);
        await answer.text();
      }
    }),
    { numRuns: 60 },
  );
}, 60_000);
